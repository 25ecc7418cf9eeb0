/**
 * Edits of a note as a whole: text at its end, or another body under the same frontmatter block. Danger: the block is
 * kept byte for byte; whatever is wrong with it is no reason to refuse a body.
 */
import { AppError } from '../../../errors.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import type { NoteStructure } from '../model.ts';
import { lineEndAt, mixesLineEnds, requireWellFormed, trimmedContent, withLineEnd } from './inserted-text.ts';
import { breaksBefore, firstTextStart, lastTextEnd, lineBreakFrom } from './lines.ts';
import { firstListKind, listKindBefore } from './list-kind.ts';
import { applyBodySplice, applySplice, type EditOutcome, unchanged } from './outcome.ts';
import { separatedSplice } from './spacing.ts';
import { joinsTableBefore } from './table-rows.ts';

/**
 * Puts text at the end of a note, one blank line below what is there (none between items of one list or rows of one
 * table).
 *
 * @param note null when there is no such note yet: then its text is the content, byte for byte
 * @throws AppError `invalid_value`
 */
export function appendToNote(note: NoteStructure | null, content: string): EditOutcome {
  if (note === null || note.text === '') {
    requireWellFormed(content);
    return applySplice({ text: '' }, { from: 0, to: 0, insert: content });
  }
  const { text, bodyFrom } = note;
  const lastEnd = lastTextEnd(text, { from: bodyFrom, to: text.length });
  const at = lastEnd ?? bodyFrom;
  // Of a body that is blank the first line is written on, spaces and all.
  const to = lastEnd ?? lineBreakFrom(text, at);
  const end = lineEndAt(text, at);
  const added = trimmedContent(content, end);
  if (added === '') return unchanged(note);
  const kind = firstListKind(added);
  // Asked for last, since it takes the whole note parsed.
  const joins = kind === null ? joinsTableBefore(note, at, added) : kind === listKindBefore(note, at);
  return applyBodySplice(note, separatedSplice(text, { from: at, to }, added, end, { before: joins ? 1 : 2 }));
}

/**
 * Puts another body in place of a note's. Text that begins with a blank line is taken as it is; else the blank lines
 * between block and body stay, and a block that had no body gets one. The last line ends as the note's did; the others
 * too, but a note that mixes line ends takes the text's own, so that what was read can be written back. Text that begins
 * with a frontmatter block of its own is refused; a rule at its beginning is none.
 *
 * @throws AppError `invalid_value`
 */
export function setBody(note: NoteStructure, content: string): EditOutcome {
  const { text, bodyFrom } = note;
  const end = lineEndAt(text, bodyFrom);
  requireWellFormed(content);
  if (note.frontmatter.present) refusePastedBlock(content);
  const body = mixesLineEnds(text) ? content : withLineEnd(content, end);
  const old = { from: bodyFrom, to: text.length };
  const first = firstTextStart(body, { from: 0, to: body.length });
  if (first === null) {
    return body === text.slice(bodyFrom) ? unchanged(note) : applyBodySplice(note, { ...old, insert: '' });
  }
  // A block that the note ends with, without a line break, gets one: else it would take the body's first.
  const isOpen = note.frontmatter.present && text[bodyFrom - 1] !== '\n';
  const gap = first === 0 ? gapAbove(note, end) : isOpen ? end : '';
  return applyBodySplice(note, { ...old, insert: gap + endedLike(text, body) });
}

/** @throws AppError `invalid_value` for a whole note, which would have two blocks then */
function refusePastedBlock(content: string): void {
  const { present, data } = parseFrontmatter(content);
  if (!present || Object.keys(data).length === 0) return;
  throw new AppError(
    'invalid_value',
    'The text begins with a frontmatter block, and the one that is there is kept, so the note would have two: leave the ' +
      'block out, or write the whole note instead. A rule at the beginning is written "***".',
  );
}

/** The body with its last line ended, or not, as that of a note is. */
function endedLike(text: string, body: string): string {
  if (text === '') return body;
  if (text.endsWith('\n')) return body.endsWith('\n') ? body : body + lineEndAt(text, text.length);
  let to = body.length;
  while (body[to - 1] === '\n' || body[to - 1] === '\r') to--;
  return body.slice(0, to);
}

/** The blank lines between a note's block and its body, or those to be put there when it has no body yet. */
function gapAbove({ text, bodyFrom, frontmatter }: NoteStructure, end: string): string {
  const first = firstTextStart(text, { from: bodyFrom, to: text.length });
  if (first !== null) return text.slice(bodyFrom, first);
  return frontmatter.present ? end.repeat(2 - Math.min(1, breaksBefore(text, bodyFrom) ?? 1)) : '';
}
