/**
 * Keeps one blank line around text that is put into a note. Only what is missing is added: existing gaps stay as they
 * are, so that repeated edits never widen them, and the note's last line ends (or does not) as it did.
 */
import type { TextRange } from '../model.ts';
import type { LineEnd } from './inserted-text.ts';
import { breaksAfter, breaksBefore, lastTextEnd } from './lines.ts';
import type { Splice } from './outcome.ts';

/** Line breaks wanted between the inserted text and what is around it: 2 make one blank line, 1 none. */
export interface Gaps {
  readonly before?: 1 | 2;
  readonly after?: 1 | 2;
}

/** Replaces a range by text that is not blank, adding the line breaks that are missing on either side. */
export function separatedSplice(
  text: string,
  range: TextRange,
  content: string,
  end: LineEnd,
  gaps: Gaps = {},
): Splice {
  const before = breaksBefore(text, range.from);
  const lead = before === null ? 0 : (gaps.before ?? 2) - before;
  return {
    ...range,
    insert: repeated(end, lead) + content + repeated(end, breaksBelow(text, range.to, gaps.after ?? 2)),
  };
}

function breaksBelow(text: string, to: number, wanted: number): number {
  const after = breaksAfter(text, to);
  if (after !== null) return wanted - after;
  // At the note's end: blank lines left there hold the last line's break already.
  return to === text.length && text.endsWith('\n') ? 1 : 0;
}

/** Replaces a range, which has text above it, by nothing but one blank line. */
export function emptiedSplice(text: string, range: TextRange, end: LineEnd): Splice {
  const above = breaksBefore(text, range.from) ?? 2;
  const below = breaksAfter(text, range.to);
  const wanted = below === null && !text.endsWith('\n') ? 1 : 2;
  return { ...range, insert: repeated(end, wanted - above - (below ?? 0)) };
}

/**
 * Takes whole lines out. What stands above and below is kept apart by `apart` line breaks where it was before or where
 * they are wanted; at the note's end the blank lines above go too.
 *
 * @param bodyFrom where the note's prose begins: nothing above it is touched
 * @param apart line breaks wanted between what is left above and below: 2, or 1 between items of one list
 */
export function removedSplice(text: string, range: TextRange, bodyFrom: number, end: LineEnd, apart: 1 | 2): Splice {
  const above = lastTextEnd(text, { from: bodyFrom, to: range.from });
  const below = breaksAfter(text, range.to);
  if (below === null) {
    if (above === null) return { from: range.from, to: text.length, insert: '' };
    return { from: above, to: text.length, insert: text.endsWith('\n') ? end : '' };
  }
  if (above === null) return { ...range, insert: '' };
  const gap = breaksBefore(text, range.from) ?? 0;
  return { ...range, insert: repeated(end, apart - gap - below) };
}

function repeated(end: LineEnd, times: number): string {
  return times > 0 ? end.repeat(times) : '';
}
