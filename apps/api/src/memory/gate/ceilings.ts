/**
 * Up to where a note counts as similar: as configured, else as measured for the embedder in use. Pure. Danger: a ceiling of
 * another embedder's shows nothing or everything, so where none was measured none is made up.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { GateSettings } from '../ports.ts';
import { SHIPPED_CEILINGS, type ShippedCeilings } from './shipped-ceilings.ts';

export interface Ceilings {
  /** Cosine distance of note vectors; null without an embedder. */
  readonly distance: number | null;
  /** FTS5's rank: negative, lower is better; 0 admits all. */
  readonly bm25: number;
}

/** What the vectors of an embedder depend on. */
export interface EmbedderIdentity {
  readonly model: string;
  readonly dims: number;
  /** Digest of model, dims and prefixes. */
  readonly space: string;
}

type Configured = Pick<GateSettings, 'distanceCeiling' | 'bm25Ceiling'>;

/**
 * @param embedder null: words only
 * @returns null when one that is needed is neither configured nor shipped
 */
export function ceilingsFor(
  { distanceCeiling, bm25Ceiling }: Configured,
  embedder: EmbedderIdentity | null,
  shipped: readonly ShippedCeilings[] = SHIPPED_CEILINGS,
): Ceilings | null {
  const measured = shipped.find(({ space }) => space === embedder?.space);
  const distance = distanceCeiling ?? measured?.distance ?? null;
  const bm25 = bm25Ceiling ?? measured?.bm25 ?? null;
  if (bm25 === null || (embedder !== null && distance === null)) return null;
  return { distance: embedder === null ? null : distance, bm25 };
}

/** @throws AppError `invalid_request` that says what to run and to set */
export function requireCeilings(settings: Configured, embedder: EmbedderIdentity | null): Ceilings {
  const ceilings = ceilingsFor(settings, embedder);
  if (ceilings !== null) return ceilings;
  const [of, keys] =
    embedder === null
      ? ['words alone', 'GATE_BM25_CEILING']
      : [embedder.model, 'GATE_DISTANCE_CEILING and GATE_BM25_CEILING'];
  throw new AppError(
    'invalid_request',
    `The write gate has no ceilings for ${of}: run \`vault-mcp gate calibrate\` and set ${keys} to what it suggests.`,
  );
}
