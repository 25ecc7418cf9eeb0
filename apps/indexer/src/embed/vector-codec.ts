/**
 * Vectors in job payloads: little-endian float32 in base64. Danger: SQLite stores NaN and zero vectors without a word
 * and ranks nonsense by them, so what comes off the queue is checked before it is stored.
 */

export function encodeVector(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

/** @returns the vector, or the reason why it cannot be stored */
export function decodeVector(encoded: string, dims: number): Float32Array | string {
  const bytes = new Uint8Array(Buffer.from(encoded, 'base64'));
  if (bytes.byteLength !== dims * Float32Array.BYTES_PER_ELEMENT) {
    return `The embedder gave ${bytes.byteLength / Float32Array.BYTES_PER_ELEMENT} dimensions; ${dims} were expected (embedding.dims).`;
  }
  const vector = new Float32Array(bytes.buffer);
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!Number.isFinite(squares)) return 'The embedder gave a vector with values that are not numbers.';
  if (squares === 0) return 'The embedder gave a vector of zeros.';
  return vector;
}
