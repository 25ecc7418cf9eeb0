import { describe, expect, it } from 'vitest';
import { unitVectors } from '../../../../test/support/unit-vectors.ts';
import { signatureWords, toSignature } from './signature.ts';
import { FILES_KEPT, SignatureTable } from './signature-table.ts';

const bitsOf = (...files: number[]) => {
  const bits = new Uint8Array(200);
  for (const file of files) bits[file >> 3] = (bits[file >> 3] as number) | (1 << (file & 7));
  return bits;
};

/** A table of so many contents, the n-th with id n + 1 in file n + 1. */
function tableOf(count: number, dims: number) {
  const next = unitVectors(dims, dims);
  const vectors = Array.from({ length: count }, next);
  const table = new SignatureTable(signatureWords(dims));
  vectors.forEach((vector, n) => {
    table.put(n + 1, toSignature(vector), [n + 1]);
  });
  return { table, vectors, next };
}

const product = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
const sorted = (ids: Uint32Array) => [...ids].sort((a, b) => a - b);

describe.each([64, 100, 384, 768, 1024])('signatures of %i numbers', (dims) => {
  it('name what lies nearest among the first, over more than one block', () => {
    const { table, vectors } = tableOf(2500, dims);
    for (const n of [0, 1023, 1024, 2499]) {
      const { ids } = table.nearest(vectors[n] as Float32Array, null, { weighed: 2400, kept: 300 });
      expect(ids).toHaveLength(300);
      expect(ids).toContain(n + 1);
    }
  });
});

it('name most of the truly nearest in a tenth of all', () => {
  const { table, vectors, next } = tableOf(3000, 256);
  let found = 0;
  for (let n = 0; n < 20; n++) {
    const vector = next();
    const nearest = vectors
      .map((other, at) => ({ id: at + 1, near: product(vector, other) }))
      .sort((a, b) => b.near - a.near)
      .slice(0, 20);
    const named = new Set(table.nearest(vector, null, { weighed: 1500, kept: 300 }).ids);
    found += nearest.filter(({ id }) => named.has(id)).length;
  }
  expect(found / 400).toBeGreaterThan(0.9);
});

describe('what is named', () => {
  const some = { weighed: 8, kept: 4 };

  it('is never more than was wanted, also where all are alike', () => {
    const table = new SignatureTable(2);
    const vector = Float32Array.from([1, 0]);
    for (let id = 1; id <= 50; id++) table.put(id, toSignature(vector), [id]);
    expect(table.nearest(vector, null, some)).toMatchObject({ complete: false, ids: { length: 4 } });
  });

  it('is all there is, and known to be, where that is no more than was wanted', () => {
    const { table, vectors } = tableOf(4, 64);
    const { ids, complete } = table.nearest(vectors[0] as Float32Array, null, some);
    expect([sorted(ids), complete]).toEqual([[1, 2, 3, 4], true]);
  });

  it('stands in a file that passes', () => {
    const { table, vectors } = tableOf(50, 64);
    const { ids, complete } = table.nearest(vectors[0] as Float32Array, bitsOf(7, 30, 900), some);
    expect([sorted(ids), complete]).toEqual([[7, 30], true]);
  });

  it('may stand in one of several files, or in too many to be told apart', () => {
    const { table, vectors } = tableOf(5, 64);
    table.moved(2, [90, 91, 92]);
    table.moved(
      3,
      Array.from({ length: FILES_KEPT + 1 }, (_, n) => 200 + n),
    );
    const named = (file: number) => sorted(table.nearest(vectors[0] as Float32Array, bitsOf(file), some).ids);
    expect([named(91), named(92), named(2)]).toEqual([[2, 3], [2, 3], [3]]);
    table.moved(2, [2]);
    table.moved(3, [3]);
    expect([named(91), named(2)]).toEqual([[], [2]]);
  });

  it('has its vector: what was dropped comes back only when it is put again', () => {
    const { table, vectors } = tableOf(3, 64);
    table.drop(2);
    table.drop(2);
    table.moved(2, [2]);
    const named = () => sorted(table.nearest(vectors[0] as Float32Array, null, some).ids);
    expect(named()).toEqual([1, 3]);
    table.put(2, toSignature(vectors[1] as Float32Array), [2]);
    expect(named()).toEqual([1, 2, 3]);
  });

  it('costs 96 bytes for each of 768 numbers and no more than forty for what else is known of it', () => {
    const { table } = tableOf(10_000, 768);
    expect(table.byteLength() / 10_000).toBeLessThan(96 + 40);
  });
});
