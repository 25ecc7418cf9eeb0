/**
 * Replaces a text literally, when it is there exactly as often as the caller expects. Danger: which one of several was
 * meant is never guessed, and frontmatter is out of reach unless asked for; a block that could be read before must be
 * readable after, and headings outside stay headings. A short request can ask for a text of any length, so that is worked out before anything is made.
 */
import { constants } from 'node:buffer';
import { AppError } from '../../../errors.ts';
import { parseFrontmatter } from '../frontmatter.ts';
import { resolveHeading } from '../headings.ts';
import type { Frontmatter, NoteStructure, TextRange } from '../model.ts';
import { resolveBlock } from '../sections.ts';
import { missingStructure } from '../whole-structure.ts';
import { lineEndsOf, requireWellFormed, withLineEnd } from './inserted-text.ts';
import { occurrences } from './occurrences.ts';
import { applyBodySplice, applySplice, type EditOutcome, refuseHiddenHeadings } from './outcome.ts';

export interface TextReplacement {
  /** Literal; a line break in it matches one of either style. */
  readonly find: string;
  readonly replace: string;
  /** How often `find` must be there, counted from the left so that none overlaps another; default 1. All are replaced. */
  readonly count?: number;
  /** A heading or `^block` to stay inside; a section's heading line belongs to it. */
  readonly section?: string | readonly string[];
  /** What parts the segments of `section`; default `::`. */
  readonly delimiter?: string;
  /** Looks in the frontmatter block too; without effect where `section` is given. */
  readonly includeFrontmatter?: boolean;
  /** Most bytes that the note may have afterwards; default: what a text can hold at all. */
  readonly maxBytes?: number;
}

/** Most lines named in an error. */
const MAX_LINES = 30;

/**
 * @throws AppError `no_such_text`, `ambiguous_text` with the lines it is on; `no_such_heading`, `ambiguous_heading`,
 * `no_such_block` for the section; `invalid_value` when the frontmatter would no longer be readable or a heading would no
 * longer be one; `note_too_large` before any such text is made; `invalid_request`
 */
export function replaceText(note: NoteStructure, replacement: TextReplacement): EditOutcome {
  const { find, replace, count = 1 } = replacement;
  requireUsable(find, count);
  for (const text of [find, replace]) requireWellFormed(text);
  const range = searchRange(note, replacement);
  const found = occurrences(note.text, find, range);
  if (found.length !== count) throw mismatch(note, replacement, range, found, count);
  const first = found[0]?.from ?? 0;
  const last = found.at(-1)?.to ?? 0;
  const writtenAt = replacementsIn(note.text, replace);
  requireFitting(note.text, found, writtenAt, replacement.maxBytes);
  const splice = { from: first, to: last, insert: replaced(note.text, found, writtenAt) };
  if (first >= note.bodyFrom) return refusingHidden(note, applyBodySplice(note, splice));
  const outcome = applySplice(note, splice);
  const frontmatter = parseFrontmatter(outcome.text);
  requireReadableBlock(note, frontmatter);
  return refusingHidden(note, { ...outcome, frontmatter });
}

function requireUsable(find: string, count: number): void {
  if (find === '') throw new AppError('invalid_request', 'The text to find is empty: name the text to replace.');
  if (!Number.isSafeInteger(count) || count < 1) {
    throw new AppError('invalid_request', 'The count is how often the text must be there: a whole number from 1 up.');
  }
}

function searchRange(note: NoteStructure, { section, delimiter, includeFrontmatter }: TextReplacement): TextRange {
  if (typeof section === 'string' && section.trim().startsWith('^')) return resolveBlock(note, section).range;
  if (section !== undefined) {
    return resolveHeading(note, section, delimiter === undefined ? {} : { delimiter }).section;
  }
  return { from: includeFrontmatter === true ? note.frontmatter.range.from : note.bodyFrom, to: note.text.length };
}

/** What is written at an offset, with the line ends there. */
function replacementsIn(text: string, replace: string): (at: number) => string {
  // Made once for all places: each of them would look through the whole text.
  const lineEnds = lineEndsOf(text);
  const written = { '\n': withLineEnd(replace, '\n'), '\r\n': withLineEnd(replace, '\r\n') };
  return (at) => written[lineEnds(at)];
}

/** Each UTF-16 unit takes a byte or more, so what has too many units has too many bytes. */
function requireFitting(
  text: string,
  found: readonly TextRange[],
  writtenAt: (at: number) => string,
  maxBytes: number = constants.MAX_STRING_LENGTH,
): void {
  let units = text.length;
  for (const { from, to } of found) units += writtenAt(from).length - (to - from);
  if (units <= maxBytes) return;
  throw new AppError(
    'note_too_large',
    `With ${found.length === 1 ? 'it' : `all ${found.length}`} replaced the note would have ${units} bytes or more, and ${maxBytes} are the most: put a shorter text there, or split the note.`,
  );
}

/** The text from the first place to the last with all of them replaced. */
function replaced(text: string, found: readonly TextRange[], writtenAt: (at: number) => string): string {
  const parts: string[] = [];
  let copied = found[0]?.from ?? 0;
  for (const { from, to } of found) {
    parts.push(text.slice(copied, from), writtenAt(from));
    copied = to;
  }
  return parts.join('');
}

/** Where not all headings of a note are known, a text in it can be replaced all the same. */
function refusingHidden(note: NoteStructure, outcome: EditOutcome): EditOutcome {
  if (missingStructure(note) === undefined) refuseHiddenHeadings(note, outcome);
  return outcome;
}

function requireReadableBlock({ frontmatter }: NoteStructure, after: Frontmatter): void {
  if (!frontmatter.present || frontmatter.error !== undefined) return;
  if (after.present && after.error === undefined) return;
  const why = after.error === undefined ? 'its fences would be gone' : after.error;
  throw new AppError('invalid_value', `The frontmatter block could no longer be read after this (${why}).`);
}

function mismatch(
  note: NoteStructure,
  { find, section }: TextReplacement,
  range: TextRange,
  found: readonly TextRange[],
  count: number,
): AppError {
  const expected = count === 1 ? 'once' : `${count} times`;
  if (found.length > 0) {
    return new AppError(
      'ambiguous_text',
      `The text is there ${found.length === 1 ? 'once' : `${found.length} times`} (${linesOf(note, found)}), not ${expected}. Find a longer text that is there only where you mean, name a section, or send "count": ${found.length} to replace all.`,
    );
  }
  const outside = occurrences(note.text, find, { from: 0, to: note.text.length });
  const inBlock = section === undefined && outside.length > 0;
  const where = inBlock
    ? ` It is there in the frontmatter (${linesOf(note, outside)}), which is searched only with "include_frontmatter": true.`
    : outside.length > 0
      ? ` It is there outside the part that was searched (${linesOf(note, outside)}).`
      : '';
  const searched = range.from > note.bodyFrom || range.to < note.text.length ? 'in that section' : 'in this note';
  return new AppError(
    'no_such_text',
    `The text is not there ${searched} (0 times, expected ${expected}).${where} Read the note and copy the text exactly as it stands.`,
  );
}

function linesOf(note: NoteStructure, found: readonly TextRange[]): string {
  const lines = [...new Set(found.map(({ from }) => note.lines.lineAt(from)))];
  const rest = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).join(', ');
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}
