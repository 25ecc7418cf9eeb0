/**
 * The notes and documents nearest to a file: first those linked with it either way, then those that link, or are linked by,
 * the most of the same. Pure. Danger: an index page links everything with everything, so what is looked at is bounded, and
 * a file that most of the vault links to says little: it is passed over as a way to others.
 */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { LinkGraph } from './link-graph.ts';

export interface Neighbour {
  readonly path: VaultPath;
  /** 1: linked with it, either way. 2: only through others. */
  readonly distance: 1 | 2;
  /** How many files both are linked with, either way. */
  readonly shared: number;
}

/** Files linked with more than this many others are no way to further ones. */
const MAX_DEGREE = 200;
/** Files gone through at most. */
const MAX_WAYS = 500;

/**
 * @param counts whether a file may be named; others still lead from one to another
 * @returns the nearest first, at most `limit`
 */
export function neighboursOf(
  graph: Pick<LinkGraph, 'linkedWith'>,
  path: VaultPath,
  counts: (path: VaultPath) => boolean,
  limit: number,
): Neighbour[] {
  const direct = graph.linkedWith(path) ?? new Set<VaultPath>();
  const shared = new Map<VaultPath, number>();
  for (const way of [...direct].slice(0, MAX_WAYS)) {
    for (const one of graph.linkedWith(way, MAX_DEGREE) ?? [])
      if (one !== path) shared.set(one, (shared.get(one) ?? 0) + 1);
  }
  const near = [...direct].map((one) => neighbour(one, 1, shared.get(one) ?? 0));
  const far = [...shared].filter(([one]) => !direct.has(one)).map(([one, ways]) => neighbour(one, 2, ways));
  const ranked = [...near.sort(bySharedThenPath), ...far.sort(bySharedThenPath)];
  return ranked.filter((one) => counts(one.path)).slice(0, limit);
}

function neighbour(path: VaultPath, distance: 1 | 2, shared: number): Neighbour {
  return { path, distance, shared };
}

function bySharedThenPath(a: Neighbour, b: Neighbour): number {
  return b.shared - a.shared || (a.path < b.path ? -1 : 1);
}
