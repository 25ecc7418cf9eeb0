import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstFew } from './first-few.ts';

it('gives what sorting them all would begin with, equals in the order in which they come', () => {
  const item = fc.record({ rank: fc.integer({ min: 0, max: 5 }), name: fc.string() });
  fc.assert(
    fc.property(fc.array(item), fc.integer({ min: 0, max: 6 }), (items, count) => {
      const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank;
      expect(firstFew(items, count, byRank)).toEqual(items.toSorted(byRank).slice(0, count));
    }),
  );
});
