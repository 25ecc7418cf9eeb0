/**
 * The ceilings that were measured, for the embedders that they were measured with. Data. Danger: a number that nobody measured
 * has no place here; where there is none, `gate calibrate` suggests one from the vault itself.
 */
import { spaceDigest } from '@vault-mcp/shared/embedding/space';

/** Measured for one space of vectors, over the vaults that bench/gate-ceilings.mjs names. */
export interface ShippedCeilings {
  readonly model: string;
  readonly dims: number;
  /** Digest of model, dims and prefixes (embedding/space). */
  readonly space: string;
  /** Cosine distance of note vectors. */
  readonly distance: number;
  /** FTS5's rank. */
  readonly bm25: number;
}

/** Of models without prefixes. */
function measured(model: string, dims: number, ceilings: Pick<ShippedCeilings, 'distance' | 'bm25'>): ShippedCeilings {
  return { model, dims, space: spaceDigest({ model, dims, queryPrefix: '', documentPrefix: '' }), ...ceilings };
}

/** By `npm run bench:gate-ceilings`; the tables are in bench/RESULTS.md. */
export const SHIPPED_CEILINGS: readonly ShippedCeilings[] = [
  measured('universal-sentence-encoder-lite', 512, { distance: 0.24, bm25: -36 }),
  measured('lexical-hash-1', 384, { distance: 0.24, bm25: -36 }),
];
