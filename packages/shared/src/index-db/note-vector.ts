/**
 * What a whole note says, as one vector made of its chunks' vectors. Pure. Danger: who compares a text that is no note yet
 * with the notes of the index has to make its vector by this, of chunks that are cut and measured alike.
 */

export interface ChunkVector {
  /** Bytes of the chunk's text in UTF-8: its weight. */
  readonly bytes: number;
  /** Unit length. */
  readonly vector: Float32Array;
}

/** The mean of a note's chunks by their size, made unit length; null without chunks, and where they cancel out. */
export function noteVector(chunks: readonly ChunkVector[]): Float32Array | null {
  const [first] = chunks;
  if (first === undefined) return null;
  const sum = new Float64Array(first.vector.length);
  for (const { bytes, vector } of chunks) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + bytes * (vector[i] as number);
  }
  let squared = 0;
  for (const value of sum) squared += value * value;
  const norm = Math.sqrt(squared);
  return norm > 0 ? Float32Array.from(sum, (value) => value / norm) : null;
}
