/**
 * Where a literal query stands in a note's name and text, with context. Pure. Danger: upper and lower case may differ
 * in length, so matching is left to the regular expression engine, whose positions are those of the text as it is.
 */

/** Matches shown of one note; more are only counted. */
const MAX_SHOWN = 50;
/** Counting stops here: no score needs more. */
const MAX_COUNTED = 1000;

export interface Occurrence {
  /** Positions in the text (`content`) or in the note's name without its suffix (`filename`), in UTF-16 units. */
  readonly match: { readonly start: number; readonly end: number; readonly source: 'content' | 'filename' };
  readonly context: string;
}

/** The query as a pattern that matches it literally, whatever the case. */
export function literalPattern(query: string): RegExp {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** @param contextLength characters shown on either side, never half a surrogate pair */
export function findOccurrences(
  path: string,
  text: string,
  pattern: RegExp,
  contextLength: number,
): { total: number; occurrences: Occurrence[] } {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  const occurrences: Occurrence[] = [];
  let total = 0;
  for (const { index, 0: found } of name.matchAll(pattern)) {
    total++;
    occurrences.push({ match: { start: index, end: index + found.length, source: 'filename' }, context: name });
  }
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (++total >= MAX_COUNTED) break;
    if (occurrences.length >= MAX_SHOWN) continue;
    const end = index + found.length;
    const context = text.slice(Math.max(0, index - contextLength), end + contextLength);
    occurrences.push({ match: { start: index, end, source: 'content' }, context: wholeCharacters(context) });
  }
  return { total, occurrences };
}

/** Without the halves of characters that the cut left at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
