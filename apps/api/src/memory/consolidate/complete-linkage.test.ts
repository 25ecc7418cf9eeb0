import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeLinkage, type NearPair } from './complete-linkage.ts';

const pair = (a: number, b: number, distance: number): NearPair => ({ a, b, distance });

/** Distances that all differ, between some of the pairs of a few items. */
const somePairs = fc
  .tuple(fc.integer({ min: 2, max: 9 }), fc.infiniteStream(fc.boolean()), fc.integer())
  .map(([items, isNear, seed]) => {
    const all: NearPair[] = [];
    for (let a = 0; a < items; a++) {
      for (let b = a + 1; b < items; b++) if (isNear.next().value) all.push(pair(a, b, 0));
    }
    // Shuffled by the seed, then numbered: no two are alike.
    const key = (one: NearPair) => Math.sin(seed + one.a * 31 + one.b * 17);
    return [...all].sort((x, y) => key(x) - key(y)).map(({ a, b }, distance) => pair(a, b, distance));
  });

/** The method by its rule: of all groups, join the two whose farthest members are the nearest, as long as all are near. */
function byTheRule(pairs: readonly NearPair[]): number[][] {
  const distances = new Map(
    pairs.flatMap(({ a, b, distance }) => [`${a} ${b}`, `${b} ${a}`].map((k) => [k, distance])),
  );
  let groups = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].map((item) => [item]);
  for (;;) {
    let best: { distance: number; one: number[]; other: number[] } | null = null;
    for (const one of groups) {
      for (const other of groups) {
        if (one === other) continue;
        const all = one.flatMap((a) => other.map((b) => distances.get(`${a} ${b}`) ?? Number.POSITIVE_INFINITY));
        const distance = Math.max(...all);
        if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { distance, one, other };
      }
    }
    if (best === null) break;
    const { one, other } = best;
    groups = [...groups.filter((group) => group !== one && group !== other), [...one, ...other]];
  }
  return groups
    .filter((group) => group.length > 1)
    .map((group) => group.sort((x, y) => x - y))
    .sort(([x = 0], [y = 0]) => x - y);
}

describe('complete linkage', () => {
  it('joins what is all near one another, and not what is near by way of a third', () => {
    expect(completeLinkage([pair(1, 2, 0.1), pair(2, 3, 0.2), pair(1, 3, 0.3), pair(3, 4, 0.05)])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(completeLinkage([pair(5, 1, 0.1), pair(1, 2, 0.2), pair(5, 2, 0.2)])).toEqual([[1, 2, 5]]);
    expect(completeLinkage([])).toEqual([]);
  });

  it('is that of its rule, whatever the pairs', () => {
    fc.assert(
      fc.property(somePairs, (pairs) => {
        expect(completeLinkage(pairs)).toEqual(byTheRule(pairs));
      }),
    );
  });

  it('makes groups within which all are near, and no two that could be one, also of equal distances', () => {
    fc.assert(
      fc.property(somePairs, (pairs) => {
        const alike = pairs.map(({ a, b, distance }) => pair(a, b, Math.floor(distance / 3)));
        const near = new Set(alike.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]));
        const allNear = (one: readonly number[], other: readonly number[]) =>
          one.every((a) => other.every((b) => a === b || near.has(`${a} ${b}`)));
        const groups = completeLinkage(alike);
        for (const [at, group] of groups.entries()) {
          expect(allNear(group, group)).toBe(true);
          for (const other of groups.slice(at + 1)) expect(allNear(group, other)).toBe(false);
        }
      }),
    );
  });

  it('gives the same whatever the order of the pairs', () => {
    fc.assert(
      fc.property(somePairs, (pairs) => {
        expect(completeLinkage([...pairs].reverse())).toEqual(completeLinkage(pairs));
      }),
    );
  });
});
