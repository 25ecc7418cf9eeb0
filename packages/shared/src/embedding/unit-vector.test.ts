import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUnitVector } from './unit-vector.ts';

test('any finite direction comes out at length 1, even where its squares would overflow or vanish', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 50 }), (values) => {
      fc.pre(values.some((value) => value !== 0));
      const outcome = toUnitVector(values);
      if (!('vector' in outcome)) throw new Error(outcome.error);
      const length = Math.sqrt(outcome.vector.reduce((sum, value) => sum + value * value, 0));
      expect(length).toBeCloseTo(1, 4);
    }),
  );
});

test.each([
  ['NaN', [0.5, Number.NaN]],
  ['an infinite number', [Number.POSITIVE_INFINITY, 1]],
  ['a null, as JSON writes NaN', [null, 1]],
  ['text', ['0.5', 1]],
  ['only zeros', [0, 0]],
  ['nothing', []],
])('%s in a vector is an error of that text', (_, values) => {
  expect(toUnitVector(values)).toEqual({ error: expect.stringContaining('embedder answered a vector') });
});
