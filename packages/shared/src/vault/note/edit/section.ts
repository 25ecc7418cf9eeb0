/**
 * Edits a section of a note: the target is found by the one resolver, the range is the one a read of that scope means.
 * Danger: text that leaves a fence or comment open would hide the headings after it, so every edit is parsed again
 * before it is given back.
 */
import { AppError } from '../../../errors.ts';
import { resolveHeading } from '../headings.ts';
import type { Heading, NoteStructure, TextRange } from '../model.ts';
import { type SectionScope, sectionRange, subsections } from '../sections.ts';
import { createSection } from './create-section.ts';
import { replaceMarker } from './heading-marker.ts';
import { lineEndAt, trimmedContent } from './inserted-text.ts';
import { firstTextStart, lastTextEnd, lineBreakFrom } from './lines.ts';
import { firstListKind, lastListKind, listKindAfter, listKindBefore } from './list-kind.ts';
import { applyBodySplice, type EditOutcome, refuseHiddenHeadings, type Splice, unchanged } from './outcome.ts';
import { refusePastedHeading } from './pasted-heading.ts';
import { removedSubsections } from './removed-subsections.ts';
import { emptiedSplice, removedSplice, separatedSplice } from './spacing.ts';
import { joinsTableBefore } from './table-rows.ts';

export type EditOperation = 'replace' | 'append' | 'prepend' | 'delete';

export interface SectionEdit {
  /** What part of the section is meant; default `content`. */
  readonly scope?: SectionScope;
  /** Makes the missing end of the heading path, at the end of the nearest section there is. */
  readonly createIfMissing?: boolean;
  /** What parts the segments of a string target; default `::`. */
  readonly delimiter?: string;
}

/**
 * Edits the section a target names.
 *
 * Text put in keeps one blank line to what is around it, but for items put to their list and rows appended to their
 * table. `append` and `prepend` only insert. A `replace` by blank text,
 * and a `delete`, of `content` or `own` leave the heading and one blank line; of `markerAndContent` they take the
 * section out. `prepend` to `markerAndContent` puts text above the heading, so at the end of the section before. Text
 * for `content` or `own` that begins with the section's own heading line is refused.
 *
 * @param content ignored by `delete`
 * @throws AppError `no_such_heading`, `ambiguous_heading`; `note_too_large` when the note has more blocks than are read;
 * `invalid_value` when the text would not stand in the note as meant; `invalid_request` for an operation that a scope does not know
 */
export function editSection(
  note: NoteStructure,
  target: string | readonly string[],
  operation: EditOperation,
  content: string,
  options: SectionEdit = {},
): EditOutcome {
  const scope = options.scope ?? 'content';
  if (scope === 'marker' && operation !== 'replace') {
    throw new AppError(
      'invalid_request',
      `The scope "marker" is the heading line alone and knows only "replace", not "${operation}". To take a section out, delete with scope "markerAndContent".`,
    );
  }
  let heading: Heading;
  try {
    heading = resolveHeading(note, target, delimiterOf(options));
  } catch (missing) {
    if (!isMissing(missing) || options.createIfMissing !== true || operation === 'delete') throw missing;
    if (scope === 'marker' || scope === 'markerAndContent') throw uncreatable(missing, scope);
    return createSection(note, target, content, { ...delimiterOf(options), missing });
  }
  if (scope === 'marker') {
    const { outcome, after } = replaceMarker(note, heading, content);
    refuseHiddenHeadings(note, outcome, after);
    return outcome;
  }
  const outcome = editFound(note, heading, scope, operation, content);
  refuseHiddenHeadings(note, outcome);
  return outcome;
}

/** For whoever means to put the heading line there. */
const MEANT = 'The scope "markerAndContent" takes heading and text together.';

function delimiterOf({ delimiter }: SectionEdit): { readonly delimiter?: string } {
  return delimiter === undefined ? {} : { delimiter };
}

function isMissing(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && thrown.code === 'no_such_heading';
}

function uncreatable(missing: AppError, scope: SectionScope): AppError {
  const hint = `A missing heading is created only with the scope "content" or "own", not "${scope}".`;
  return new AppError('no_such_heading', `${missing.message} ${hint}`);
}

function editFound(
  note: NoteStructure,
  heading: Heading,
  scope: Exclude<SectionScope, 'marker'>,
  operation: EditOperation,
  content: string,
): EditOutcome {
  const range = sectionRange(note, heading, scope);
  const end = lineEndAt(note.text, range.from);
  const text = operation === 'delete' ? '' : trimmedContent(content, end);
  if (scope !== 'markerAndContent') refusePastedHeading(text, heading, MEANT);
  if (operation === 'append' || operation === 'prepend') {
    if (text === '') return unchanged(note);
    const aboveHeading = operation === 'prepend' && scope === 'markerAndContent';
    const put = aboveHeading ? putAbove : operation === 'append' ? appended : prepended;
    return applyBodySplice(note, put(note, heading, range, text));
  }
  const splice =
    text !== ''
      ? separatedSplice(note.text, range, text, end)
      : scope === 'markerAndContent'
        ? removedSplice(note.text, range, note.bodyFrom, end, 2)
        : emptiedSplice(note.text, range, end);
  const outcome = applyBodySplice(note, splice);
  if (scope === 'own') return outcome;
  return { ...outcome, removedSubsections: removedSubsections(subsections(note, heading), text) };
}

/** Below the last line of text in the range; right below the heading when it has none. */
function appended(note: NoteStructure, heading: Heading, range: TextRange, content: string): Splice {
  const at = lastTextEnd(note.text, range) ?? lineBreakFrom(note.text, heading.marker.to);
  const kind = firstListKind(content);
  const joins = kind === null ? joinsTableBefore(note, at, content) : kind === listKindBefore(note, at);
  return separatedSplice(note.text, { from: at, to: at }, content, lineEndAt(note.text, at), { before: joins ? 1 : 2 });
}

/** Above the first line of text in the range; right below the heading when it has none. */
function prepended(note: NoteStructure, heading: Heading, range: TextRange, content: string): Splice {
  const first = firstTextStart(note.text, range);
  const at = first ?? lineBreakFrom(note.text, heading.marker.to);
  const kind = first === null ? null : listKindAfter(note, at);
  const joins = kind !== null && kind === lastListKind(content);
  return separatedSplice(note.text, { from: at, to: at }, content, lineEndAt(note.text, at), { after: joins ? 1 : 2 });
}

/** Above the heading itself. */
function putAbove(note: NoteStructure, heading: Heading, _range: TextRange, content: string): Splice {
  const at = heading.marker.from;
  // Nothing of the frontmatter block is text that a blank line belongs below.
  const isFirst = firstTextStart(note.text, { from: note.bodyFrom, to: at }) === null;
  const end = lineEndAt(note.text, at);
  return separatedSplice(note.text, { from: at, to: at }, content, end, { before: isFirst ? 1 : 2 });
}
