import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeVector, encodeVector } from './vector-codec.ts';

describe('a vector in a job', () => {
  it('comes out as it went in', () => {
    fc.assert(
      fc.property(fc.float32Array({ minLength: 1, maxLength: 40, noNaN: true, min: -100, max: 100 }), (vector) => {
        fc.pre(vector.some((value) => Math.abs(value) > 1e-6));
        expect(decodeVector(encodeVector(vector), vector.length)).toEqual(vector);
      }),
    );
  });

  it('survives being a view into a larger buffer', () => {
    const view = new Float32Array([9, 1, 2, 9]).subarray(1, 3);
    expect(decodeVector(encodeVector(view), 2)).toEqual(Float32Array.from([1, 2]));
  });

  it.each([
    ['another number of dimensions', new Float32Array([1, 0, 0]), 'embedding.dims'],
    ['NaN', new Float32Array([Number.NaN, 1]), 'not numbers'],
    ['infinity', new Float32Array([Number.POSITIVE_INFINITY, 1]), 'not numbers'],
    ['zeros', new Float32Array([0, 0]), 'zeros'],
  ])('is refused with %s', (_name, vector, reason) => {
    expect(decodeVector(encodeVector(vector), 2)).toContain(reason);
  });

  it('is refused when it is not base64 of float32 values', () => {
    expect(decodeVector('abc', 2)).toContain('embedding.dims');
  });
});
