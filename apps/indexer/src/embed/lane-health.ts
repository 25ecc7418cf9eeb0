/**
 * How embedding fares as a whole, as the process that writes the index sees it: by its own embedder, where it has one, and
 * by what comes back from the lane, where others may work with embedders of their own.
 */
import type { Embedder, EmbedderHealth } from '@vault-mcp/shared/embedding/embedder';
import type { EmbedPending } from './embed-pending.ts';

/** Whose vectors the index holds. */
export type EmbeddingIdentity = Pick<Embedder, 'provider' | 'model' | 'dims' | 'space'>;

export interface LaneSources {
  readonly identity: EmbeddingIdentity;
  /** Null in a process without the embed role. */
  readonly embedder: Pick<Embedder, 'health'> | null;
  readonly lane: Pick<EmbedPending, 'problem' | 'isWaiting'>;
}

const NOBODY =
  'Texts wait for vectors and no process with the embed role is there: start one (INDEXER_ROLES=embed) on this Redis.';

/** @param consumers of the embed queue, undefined when that cannot be told */
export function laneHealth({ identity, embedder, lane }: LaneSources, consumers: number | undefined): EmbedderHealth {
  const own = embedder?.health();
  if (own && !own.ok) return own;
  const { provider, model } = identity;
  const problem = lane.problem() ?? (consumers === 0 && lane.isWaiting() ? NOBODY : null);
  return problem === null ? { ok: true, provider, model } : { ok: false, provider, model, error: problem };
}
