/**
 * Reciprocal rank fusion of the two arms. Pure. Danger: ranks, not scores, are fused, so the order of the candidates
 * handed in is the whole input; an arm that was off must be null, not empty, or its weight dilutes every score.
 */
import type { RankingConstants } from './constants.ts';

/** What fusion needs of a candidate of either arm. */
export interface RankedCandidate {
  readonly chunkId: number;
  readonly fileId: number;
}

export interface FusedCandidate extends RankedCandidate {
  /** 1-based rank in the arm; null when the arm did not return it. */
  readonly denseRank: number | null;
  readonly lexicalRank: number | null;
  /** In (0, 1]: 1 is first in every arm that was on. */
  readonly fused: number;
}

/** Best first; null for an arm that was off. */
export interface Arms {
  readonly dense: readonly RankedCandidate[] | null;
  readonly lexical: readonly RankedCandidate[] | null;
}

type FusionConstants = Pick<RankingConstants, 'rrf_k' | 'dense_weight' | 'lexical_weight'>;

/**
 * Each candidate once, best first. An arm of weight zero contributes nothing, its own hits neither; but an arm that is
 * on alone needs no weight. Equal sums fall back to the lexical rank, the dense rank, then the chunk id.
 */
export function fuse(arms: Arms, constants: FusionConstants): FusedCandidate[] {
  const denseRanks = ranksOf(arms.dense);
  const lexicalRanks = ranksOf(arms.lexical);
  const weights = effectiveWeights(arms, constants);
  const attainable = share(weights.dense, constants.rrf_k, 1) + share(weights.lexical, constants.rrf_k, 1);
  const candidates = new Map<number, RankedCandidate>();
  for (const candidate of [...(arms.lexical ?? []), ...(arms.dense ?? [])])
    candidates.set(candidate.chunkId, candidate);
  const fused: FusedCandidate[] = [];
  for (const { chunkId, fileId } of candidates.values()) {
    const denseRank = denseRanks.get(chunkId) ?? null;
    const lexicalRank = lexicalRanks.get(chunkId) ?? null;
    const sum = share(weights.dense, constants.rrf_k, denseRank) + share(weights.lexical, constants.rrf_k, lexicalRank);
    if (sum > 0) fused.push({ chunkId, fileId, denseRank, lexicalRank, fused: sum / attainable });
  }
  return fused.sort(compareFused);
}

function ranksOf(arm: readonly RankedCandidate[] | null): Map<number, number> {
  const ranks = new Map<number, number>();
  arm?.forEach(({ chunkId }, index) => {
    if (!ranks.has(chunkId)) ranks.set(chunkId, index + 1);
  });
  return ranks;
}

function share(weight: number, rrfK: number, rank: number | null): number {
  return rank === null ? 0 : weight / (rrfK + rank);
}

/** Weights that count: none for an arm that is off, one for an arm that is on alone. */
function effectiveWeights(arms: Arms, constants: FusionConstants): { dense: number; lexical: number } {
  if (!arms.dense) return { dense: 0, lexical: 1 };
  if (!arms.lexical) return { dense: 1, lexical: 0 };
  const { dense_weight: dense, lexical_weight: lexical } = constants;
  return dense + lexical > 0 ? { dense, lexical } : { dense: 1, lexical: 1 };
}

function compareFused(a: FusedCandidate, b: FusedCandidate): number {
  return (
    b.fused - a.fused ||
    (a.lexicalRank ?? Number.MAX_SAFE_INTEGER) - (b.lexicalRank ?? Number.MAX_SAFE_INTEGER) ||
    (a.denseRank ?? Number.MAX_SAFE_INTEGER) - (b.denseRank ?? Number.MAX_SAFE_INTEGER) ||
    a.chunkId - b.chunkId
  );
}
