/**
 * Decides whether a query looks something up (a number, a name, a rare word) rather than asks about it, and which
 * chunks then come first. Pure. Danger: a pin outranks everything, so it may only go to chunks that hold all that the
 * vault knows of the query; a near-miss line must never win.
 */
import type { LexicalCandidate } from '@vault-mcp/shared/index-db/rows';

/** A term standing in at most this many chunks of the vault makes its query a lookup. */
export const RARE_CHUNKS = 5;
/** Never more pinned results than this, however large k is. */
export const MAX_PINNED = 5;

/** A query term and how many chunks of the whole vault hold it (one of several tokens: hold them together in order). */
export interface TermFrequency {
  /** Index terms that stand together in order; one for a plain word. */
  readonly phrase: readonly string[];
  readonly identifier: boolean;
  readonly frequency: number;
}

/**
 * The terms a chunk must hold, every one, to be pinned; null when the query is no lookup.
 *
 * Words that stand nowhere are left out of the demand: one unknown word beside an identifier must not lose it. But an
 * identifier is what its query is about, so when none of the query's identifiers is there, nothing is pinned: the
 * neighbours of a missing `DEC-0054` are near misses, and so are chunks that hold the tokens of a missing `AB12 CDE`
 * apart from each other. A query without identifiers is a lookup only while the vault knows at least half of its
 * terms; a question of which one rare word is known is still a question.
 */
export function termsToHold<T extends TermFrequency>(terms: readonly T[]): T[] | null {
  const considered = withoutPartsOfMissing(terms);
  const present = considered.filter(({ frequency }) => frequency > 0);
  if (present.length === 0) return null;
  const asksForIdentifier = considered.some(({ identifier }) => identifier);
  const known = asksForIdentifier
    ? present.some(({ identifier }) => identifier)
    : present.length * 2 >= considered.length;
  if (!known) return null;
  const rarest = Math.min(...present.map(({ frequency }) => frequency));
  return rarest <= RARE_CHUNKS ? present : null;
}

/** Without the terms that are asked for only as tokens of an identifier that stands nowhere as a whole. */
function withoutPartsOfMissing<T extends TermFrequency>(terms: readonly T[]): T[] {
  const missing = terms.filter(
    ({ identifier, phrase, frequency }) => identifier && phrase.length > 1 && frequency === 0,
  );
  const parts = new Set(missing.flatMap(({ phrase }) => phrase));
  return terms.filter(({ phrase: [first = ''], phrase }) => phrase.length > 1 || !parts.has(first));
}

/**
 * @param holders chunks that hold every such term, BM25's best first
 * @returns the first of each file, at most MAX_PINNED and at most k
 */
export function choosePins(holders: readonly LexicalCandidate[], k: number): LexicalCandidate[] {
  const byFile = new Map<number, LexicalCandidate>();
  for (const holder of holders) if (!byFile.has(holder.fileId)) byFile.set(holder.fileId, holder);
  return [...byFile.values()].slice(0, Math.min(k, MAX_PINNED));
}
