import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halfOf, samplePairs, shuffled } from './sample.ts';

describe('notes of a sample', () => {
  it('come in the same order whatever order they are named in, and none is left out', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (paths) => {
        const once = shuffled(paths);
        expect(shuffled(paths.toReversed())).toEqual(once);
        expect(once.toSorted()).toEqual(paths.toSorted());
      }),
    );
  });

  it('do not come in the order of their names', () => {
    const paths = Array.from({ length: 100 }, (_, i) => `Daily/2026-${100 + i}.md`);
    const firsts = shuffled(paths).slice(0, 50);
    expect(firsts.filter((path) => path < 'Daily/2026-150.md').length).toBeGreaterThan(15);
    expect(firsts.filter((path) => path >= 'Daily/2026-150.md').length).toBeGreaterThan(15);
  });
});

describe('pairs of a sample', () => {
  it('are of different notes, none twice, as many as asked for or as there are', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(400), (size, count) => {
        const pairs = samplePairs(size, count);
        expect(pairs).toHaveLength(Math.min(count, (size * (size - 1)) / 2));
        const names = pairs.map(([a, b]) => {
          expect(a).not.toBe(b);
          expect(Math.max(a, b)).toBeLessThan(size);
          return `${Math.min(a, b)} ${Math.max(a, b)}`;
        });
        expect(new Set(names).size).toBe(pairs.length);
      }),
    );
  });

  it('have every note in them about as often', () => {
    const times = new Map<number, number>();
    for (const one of samplePairs(400, 4_000).flat()) times.set(one, (times.get(one) ?? 0) + 1);
    expect([times.size, new Set(times.values())]).toEqual([400, new Set([20])]);
  });
});

describe('the halves of a note', () => {
  it.each([
    [[5, 5], 1],
    [[1, 1, 8], 2],
    [[8, 1, 1], 1],
    [[3, 3, 3, 3], 2],
    [[0, 0, 0], 1],
  ])('of %j part after %i', (sizes, count) => {
    expect(halfOf(sizes, () => true)).toBe(count);
  });

  it('part only where they may, and nowhere where that is nowhere', () => {
    expect(halfOf([5, 1, 1, 5], (count) => count !== 2)).toBe(1);
    expect([halfOf([5, 5], () => false), halfOf([5], () => true), halfOf([], () => true)]).toEqual([null, null, null]);
  });

  it('are the most alike in size that a parting in order can make', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { minLength: 2, maxLength: 12 }), (sizes) => {
        const off = (count: number) =>
          Math.abs(sizes.slice(0, count).reduce((a, b) => a + b, 0) - sizes.slice(count).reduce((a, b) => a + b, 0));
        const count = halfOf(sizes, () => true) as number;
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThan(sizes.length);
        expect(off(count)).toBe(Math.min(...sizes.slice(1).map((_, before) => off(before + 1))));
      }),
    );
  });
});
