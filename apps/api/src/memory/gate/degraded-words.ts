/**
 * Why similar notes may be missing, in words: for texts, and for an answer that has no other place to say it. Pure. Danger: who
 * is not told takes "nothing similar" for certain.
 */
import type { GateDegraded } from '../types.ts';

const WORDS: Readonly<Record<GateDegraded, string>> = {
  embedder_unavailable: 'the embedder could not be reached, so only words were compared',
  vectors_pending: 'some notes have no vectors yet',
  index_behind: 'the index does not know the newest changes yet',
  index_building: 'the index is still being built',
};

/** One sentence, or none. */
export function degradedRemarks(degraded: readonly GateDegraded[]): string[] {
  if (degraded.length === 0) return [];
  return [`Similar notes may be missing: ${degraded.map((reason) => WORDS[reason]).join('; ')}.`];
}
