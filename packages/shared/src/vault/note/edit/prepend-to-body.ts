/** Puts text at the beginning of a note's prose, below its frontmatter. */
import type { NoteStructure } from '../model.ts';
import { appendToNote } from './body.ts';
import { lineEndAt, trimmedContent } from './inserted-text.ts';
import { firstTextStart } from './lines.ts';
import { lastListKind, listKindAfter } from './list-kind.ts';
import { applyBodySplice, type EditOutcome, refuseHiddenHeadings, unchanged } from './outcome.ts';
import { separatedSplice } from './spacing.ts';

/**
 * Puts text above a note's prose, one blank line between (none between items of one list).
 *
 * @throws AppError `invalid_value` when the text would be read as a frontmatter block, or hides a heading below it
 */
export function prependToBody(note: NoteStructure, content: string): EditOutcome {
  const { text, bodyFrom } = note;
  const at = firstTextStart(text, { from: bodyFrom, to: text.length });
  if (at === null) return appendToNote(note, content);
  const end = lineEndAt(text, at);
  const added = trimmedContent(content, end);
  if (added === '') return unchanged(note);
  const kind = lastListKind(added);
  const joins = kind !== null && kind === listKindAfter(note, at);
  const splice = separatedSplice(text, { from: at, to: at }, added, end, { after: joins ? 1 : 2 });
  const outcome = applyBodySplice(note, splice);
  refuseHiddenHeadings(note, outcome);
  return outcome;
}
