/**
 * The identity of a vector space: everything that moves a vector when it changes. Danger: leaving one of these out
 * would let old and new vectors be compared, which ranks nonsense without any error.
 */
import { createHash } from 'node:crypto';

export interface VectorSpace {
  readonly model: string;
  readonly dims: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** @returns hex SHA-256 over model, dims and both prefixes; the provider is left out, since it moves no vector. */
export function spaceDigest(space: VectorSpace): string {
  const parts = [space.model, space.dims, space.queryPrefix, space.documentPrefix];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
