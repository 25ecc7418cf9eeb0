import { describe, expect, it } from 'vitest';
import { type ChunkVector, noteVector } from './note-vector.ts';

const chunk = (bytes: number, ...vector: number[]): ChunkVector => ({ bytes, vector: Float32Array.from(vector) });
const rounded = (vector: Float32Array | null) => [...(vector ?? [])].map((value) => Number(value.toFixed(5)));

describe('the vector of a note', () => {
  it('is the mean of its chunks by their size, of unit length', () => {
    const length = Math.hypot(3, 1);
    expect(rounded(noteVector([chunk(300, 1, 0, 0), chunk(100, 0, 1, 0)]))).toEqual(
      [3 / length, 1 / length, 0].map((value) => Number(value.toFixed(5))),
    );
  });

  it('is its chunk’s where it has one', () => {
    expect(rounded(noteVector([chunk(7, 0.6, 0.8)]))).toEqual([0.6, 0.8]);
  });

  it('is none where there is no chunk, or where they cancel out', () => {
    expect(noteVector([])).toBeNull();
    expect(noteVector([chunk(10, 1, 0), chunk(10, -1, 0)])).toBeNull();
  });
});
