/**
 * Chooses the k results out of the ranked candidates so that one note does not fill the page: maximal marginal
 * relevance where two chunks are alike when they stand in the same note, and a cap per note. Pure. Danger: the cap must
 * give way when only capped notes remain, or a query whose answers live in one note gets fewer than k.
 */
import type { RankedCandidate } from './fuse.ts';

export interface Scored extends RankedCandidate {
  /** Positive; only proportions count. */
  readonly score: number;
}

export interface DiversityOptions {
  readonly k: number;
  /** 1 = relevance alone, 0 = variety alone. */
  readonly lambda: number;
}

/**
 * @param pinned come first, in this order, whatever they cost in variety; they do count towards their notes' caps
 * @param candidates any order; those already pinned are left out
 * @returns at most k, in the order they are to be shown
 */
export function diversify<T extends Scored>(
  pinned: readonly T[],
  candidates: readonly T[],
  options: DiversityOptions,
): T[] {
  const { k } = options;
  const cap = Math.ceil(k / 3);
  const chosen = pinned.slice(0, k);
  const chosenIds = new Set(chosen.map(({ chunkId }) => chunkId));
  const perFile = new Map<number, number>();
  for (const { fileId } of chosen) perFile.set(fileId, (perFile.get(fileId) ?? 0) + 1);
  const waiting = candidates.filter(({ chunkId }) => !chosenIds.has(chunkId)).sort(byScore);
  const best = Math.max(...waiting.map(({ score }) => score), Number.MIN_VALUE);

  while (chosen.length < k && waiting.length > 0) {
    const index = nextIndex(waiting, perFile, cap, best, options.lambda);
    const [next] = waiting.splice(index, 1);
    if (!next) break;
    chosen.push(next);
    perFile.set(next.fileId, (perFile.get(next.fileId) ?? 0) + 1);
  }
  return chosen;
}

/**
 * Index of the candidate with the highest marginal relevance among notes below their cap, else among all. Relevance is
 * taken relative to the best candidate, so that a query only one arm answered is diversified like any other.
 */
function nextIndex(
  waiting: readonly Scored[],
  perFile: ReadonlyMap<number, number>,
  cap: number,
  best: number,
  lambda: number,
): number {
  let bestIndex = 0;
  let bestValue = Number.NEGATIVE_INFINITY;
  let bestIsCapped = true;
  waiting.forEach(({ fileId, score }, index) => {
    const taken = perFile.get(fileId) ?? 0;
    const capped = taken >= cap;
    if (capped && !bestIsCapped) return;
    const value = lambda * (score / best) - (1 - lambda) * (taken > 0 ? 1 : 0);
    if (value > bestValue || (bestIsCapped && !capped)) {
      bestIndex = index;
      bestValue = value;
      bestIsCapped = capped;
    }
  });
  return bestIndex;
}

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.chunkId - b.chunkId;
}
