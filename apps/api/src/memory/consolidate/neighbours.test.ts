import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neighbours } from './neighbours.ts';

const MANY = 1_000_000;

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

/** Vectors about a few centres, some of them the same twice and some along an axis, by a seed. */
function clustered(count: number, dims: number, seed: number): Float32Array[] {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const centres = Array.from({ length: 5 }, () => Array.from({ length: dims }, next));
  return Array.from({ length: count }, (_, at) => {
    const centre = centres[at % centres.length] ?? [];
    if (at % 11 === 10) return unit(centre.map((_, along) => (along === at % dims ? 1 : 0)));
    return at % 7 === 6 ? unit(centre) : unit(centre.map((value) => value + next() * 0.4));
  });
}

function distanceOf(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + (value - (other[at] ?? 0)) ** 2, 0) / 2;
}

function allPairs(vectors: readonly Float32Array[], ceiling: number): string[] {
  const found: string[] = [];
  for (const [a, one] of vectors.entries()) {
    for (let b = a + 1; b < vectors.length; b++) {
      if (distanceOf(one, vectors[b] ?? one) <= ceiling) found.push(`${a} ${b}`);
    }
  }
  return found;
}

const keys = (pairs: ReturnType<typeof neighbours>) => pairs?.map(({ a, b }) => `${a} ${b}`);

describe('the pairs of near vectors', () => {
  const cases = fc.record({
    count: fc.integer({ min: 0, max: 150 }),
    dims: fc.integer({ min: 2, max: 70 }),
    seed: fc.integer(),
  });

  it('are those that comparing all with all finds, and no others', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom(0.01, 0.05, 0.2, 0.6, 1, 2), ({ count, dims, seed }, ceiling) => {
        const vectors = clustered(count, dims, seed);
        expect(keys(neighbours(vectors, ceiling, MANY))).toEqual(allPairs(vectors, ceiling));
      }),
    );
  });

  it('lack none that is just within, whatever rounding makes of it', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.nat(), ({ count, dims, seed }, one, other) => {
        const vectors = clustered(count + 2, dims, seed);
        const [a, b] = [one % vectors.length, other % vectors.length].sort((x, y) => x - y) as [number, number];
        const ceiling = distanceOf(vectors[a] as Float32Array, vectors[b] as Float32Array) + 1e-12;
        if (a !== b) expect(keys(neighbours(vectors, ceiling, MANY))).toContain(`${a} ${b}`);
      }),
      { numRuns: 300 },
    );
  });

  it('have their distance, and the earlier of the two first', () => {
    const vectors = [unit([1, 0, 0]), unit([0, 1, 0]), unit([1, 0.1, 0])];
    const [pair, ...others] = neighbours(vectors, 0.1, MANY) ?? [];
    expect([pair?.a, pair?.b, others]).toEqual([0, 2, []]);
    expect(pair?.distance).toBeCloseTo(1 - 1 / Math.hypot(1, 0.1), 5);
  });

  it('are all of equal ones, also where every vector is the same', () => {
    const vectors = Array.from({ length: 20 }, () => unit([1, 2, 3]));
    expect(neighbours(vectors, 0, MANY)).toHaveLength(190);
  });

  it('are not told where there are more of them than wanted', () => {
    const vectors = Array.from({ length: 20 }, () => unit([1, 2, 3]));
    expect(neighbours(vectors, 0, 190)).toHaveLength(190);
    expect(neighbours(vectors, 0, 189)).toBeNull();
  });

  it('are none of no vectors, and none of one', () => {
    expect(neighbours([], 1, MANY)).toEqual([]);
    expect(neighbours([unit([1, 2])], 1, MANY)).toEqual([]);
  });
});
