/**
 * Where a literal query stands in a note's name and text, with context: whatever the case, and whichever normal form
 * either is written in. Danger: upper and lower case may differ in length, so matching is left to the regular expression
 * engine; it works on composed text, whose positions have to be taken back to those of the text as it is; and the
 * engine's time is the product of both lengths at worst (4 s for 1 000 times `a` in 5 MB of `a`), so a long text is
 * searched piece by piece, with a turn of the event loop in between.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { clusterBoundary, composed } from './composed-text.ts';
import { onBoundary } from './page.ts';

/** Matches shown of one note; more are only counted. */
const MAX_SHOWN = 50;
/** Counting stops here: no score needs more. */
const MAX_COUNTED = 1000;
/** UTF-16 units searched at a time: at worst some 30 ms. */
const PIECE = 32 * 1024;
/** Units that a composed one may stand for: a Greek vowel with breathing, accent and iota. */
const UNITS_PER_COMPOSED = 4;

export interface Occurrence {
  /** Positions in the text (`content`) or in the note's name without its suffix (`filename`), in UTF-16 units. */
  readonly match: { readonly start: number; readonly end: number; readonly source: 'content' | 'filename' };
  readonly context: string;
}

/** The query, composed, as a pattern that matches it literally, whatever the case. */
function literalPattern(query: string): RegExp {
  return new RegExp(query.normalize('NFC').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

export interface OccurrenceOptions {
  /** Characters shown on either side, never half a surrogate pair. */
  readonly contextLength: number;
  /** Ends the search between two pieces; what is thrown then is its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Every place, in order; the name's first. */
export async function findOccurrences(
  path: string,
  text: string,
  query: string,
  { contextLength, signal }: OccurrenceOptions,
): Promise<{ total: number; occurrences: Occurrence[] }> {
  const pattern = literalPattern(query);
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  const occurrences: Occurrence[] = [];
  let total = 0;
  for (const place of placesIn(name, pattern)) {
    total++;
    occurrences.push({ match: { ...place, source: 'filename' }, context: name });
  }
  for await (const { start, end } of matchesIn(text, pattern, query.length, signal)) {
    if (++total >= MAX_COUNTED) break;
    if (occurrences.length >= MAX_SHOWN) continue;
    const context = text.slice(Math.max(0, start - contextLength), end + contextLength);
    occurrences.push({ match: { start, end, source: 'content' }, context: wholeCharacters(context) });
  }
  return { total, occurrences };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Matches in composed text, as places in the text as it is. */
function* placesIn(text: string, pattern: RegExp): Generator<Place> {
  const form = composed(text);
  for (const { index, 0: found } of form.text.matchAll(pattern)) {
    yield { start: form.startOf(index), end: form.endOf(index + found.length) };
  }
}

/** The same matches as one search through the whole text gives. */
async function* matchesIn(text: string, pattern: RegExp, queryLength: number, signal: AbortSignal | undefined) {
  // A match may begin in one piece and end behind it; another case of a character takes twice its units at most.
  const reach = (2 * queryLength + 2) * UNITS_PER_COMPOSED;
  for (let from = 0; from < text.length; ) {
    if (from > 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    let next = clusterBoundary(text, onBoundary(text, from + PIECE));
    for (const place of placesIn(text.slice(from, clusterBoundary(text, onBoundary(text, next + reach))), pattern)) {
      const [start, end] = [from + place.start, from + place.end];
      if (start >= next) break;
      yield { start, end };
      next = Math.max(next, end);
    }
    from = next;
  }
}

/** Without the halves of characters that the cut left at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '').replace(/[\ud800-\udbff]$/, '');
}
