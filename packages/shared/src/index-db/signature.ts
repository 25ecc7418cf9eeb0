/**
 * A vector's signature: one bit a number, set where it is above zero, and what one number is worth on average. Vectors that
 * point the same way have nearly the same bits, so that a few bytes tell which are worth comparing in full. Pure. Danger: stored
 * beside each vector, so another form of it is another SCHEMA_VERSION.
 */

/** Bytes at the end of a signature that hold one float32: 1 over the sum of the vector's absolute numbers. */
export const SCALE_BYTES = 4;
const WORD_BITS = 64;

/** Words of 64 bits that hold the bits of so many numbers: an even number of them, as the kernel takes two at a time. */
export function signatureWords(dims: number): number {
  return Math.ceil(dims / WORD_BITS / 2) * 2;
}

/** @param vector finite numbers, not all of them zero */
export function toSignature(vector: Float32Array): Buffer {
  const bits = signatureWords(vector.length) * 8;
  const signature = Buffer.alloc(bits + SCALE_BYTES);
  let sum = 0;
  for (let i = 0; i < vector.length; i++) {
    const value = vector[i] as number;
    sum += Math.abs(value);
    if (value > 0) signature[i >> 3] = (signature[i >> 3] as number) | (1 << (i & 7));
  }
  signature.writeFloatLE(1 / sum, bits);
  return signature;
}

/** Why a vector can be compared with nothing; null when it can. A zero is as far from all others, and NaN as near. */
export function unusable(vector: Float32Array, dims: number): string | null {
  if (vector.length !== dims) return `A vector of ${vector.length} numbers came, where others have ${dims}.`;
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] as number) ** 2;
  if (!Number.isFinite(squares)) return 'A vector came that holds something other than finite numbers.';
  return squares > 0 ? null : 'A vector of zeros came.';
}
