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

/** A query term and how many chunks of the whole vault hold it (an identifier: hold it together and in order). */
export interface TermFrequency {
  readonly identifier: boolean;
  readonly frequency: number;
}

/**
 * The terms a chunk must hold, every one, to be pinned; null when the query is no lookup.
 *
 * Words that stand nowhere are left out of the demand: one unknown word beside an identifier must not lose it. But an
 * identifier is what its query is about, so when none of the query's identifiers is there, nothing is pinned: the
 * neighbours of a missing `DEC-0054` are near misses.
 */
export function termsToHold<T extends TermFrequency>(terms: readonly T[]): T[] | null {
  const present = terms.filter(({ frequency }) => frequency > 0);
  if (present.length === 0) return null;
  const asksForIdentifier = terms.some(({ identifier }) => identifier);
  if (asksForIdentifier && !present.some(({ identifier }) => identifier)) return null;
  const rarest = Math.min(...present.map(({ frequency }) => frequency));
  return rarest <= RARE_CHUNKS ? present : null;
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
