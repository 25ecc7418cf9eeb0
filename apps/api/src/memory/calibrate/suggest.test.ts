import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admittedBy, MIN_NOTES, quantile, type Samples, suggestDistance, suggestRank } from './suggest.ts';

const evenly = (from: number, to: number, count = 1_000) =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
const many = (arbitrary: fc.Arbitrary<number>) => fc.array(arbitrary, { minLength: MIN_NOTES, maxLength: 300 });
const distance = fc.integer({ min: 0, max: 20_000 }).map((value) => value / 10_000);
const rank = fc.integer({ min: -40_000, max: -1 }).map((value) => value / 100);
const samplesOf = (one: fc.Arbitrary<number>) => fc.record({ far: many(one), near: many(one), same: many(one) });

describe('a ceiling of distances', () => {
  it('lets one in 200 of the far pass, where the halves are nearer', () => {
    const samples = { far: evenly(0.4, 1), near: [], same: evenly(0.1, 0.9) };
    expect(suggestDistance(samples)).toBe(0.4);
    expect(admittedBy(0.402, samples).far).toBeCloseTo(0.004);
  });

  it('lets no more pass than nearly all halves, where the far are farther still', () => {
    expect(suggestDistance({ far: evenly(0.8, 1), near: [], same: evenly(0, 0.2) })).toBe(0.18);
  });

  it('has two digits in any space, rounded so that less passes', () => {
    expect(suggestDistance({ far: evenly(0.008765, 0.1), near: [], same: [] })).toBe(0.0091);
    expect(suggestDistance({ far: Array(50).fill(0.1299), near: [], same: [] })).toBe(0.12);
    expect(suggestDistance({ far: Array(50).fill(0), near: [], same: [] })).toBe(0);
  });

  it('lies within what was measured, and lets no more of the far pass than it should', () => {
    fc.assert(
      fc.property(samplesOf(distance), (samples) => {
        const ceiling = suggestDistance(samples) as number;
        expect(ceiling).toBeGreaterThanOrEqual(0);
        expect(ceiling).toBeLessThanOrEqual(Math.max(...samples.same));
        const equal = samples.far.filter((value) => value === Math.min(...samples.far)).length;
        expect(admittedBy(ceiling, samples).far).toBeLessThanOrEqual(
          Math.max(0.005, equal / samples.far.length) + 1e-9,
        );
      }),
    );
  });

  it('does not fall when the far move away', () => {
    fc.assert(
      fc.property(samplesOf(distance), distance, (samples, more) => {
        const farther = { ...samples, far: samples.far.map((value) => value + more) };
        expect(suggestDistance(farther)).toBeGreaterThanOrEqual(suggestDistance(samples) as number);
      }),
    );
  });
});

describe('a ceiling of ranks', () => {
  it('lets one in 100 queries find twenty notes, and no more than every second half', () => {
    const samples = { far: evenly(-30, -5), near: [], same: evenly(-90, -20) };
    expect(suggestRank(samples)).toBe(-56);
    expect(suggestRank({ ...samples, same: evenly(-20, -10) })).toBe(-30);
  });

  it('is never 0, which would admit all', () => {
    expect(suggestRank({ far: Array(50).fill(0), near: [], same: Array(50).fill(0) })).toBeNull();
    fc.assert(fc.property(samplesOf(rank), (samples) => (suggestRank(samples) as number) < 0));
  });

  it('is at most what was measured, and no more than a tenth below the least', () => {
    fc.assert(
      fc.property(samplesOf(rank), (samples) => {
        const ceiling = suggestRank(samples) as number;
        const all = [...samples.far, ...samples.same];
        expect(ceiling).toBeLessThanOrEqual(Math.max(...all));
        expect(ceiling).toBeGreaterThanOrEqual(Math.min(...all) * 1.1);
      }),
    );
  });
});

describe('too few notes', () => {
  it('give no ceiling', () => {
    const few: Samples = { far: evenly(-9, -1, MIN_NOTES - 1), near: [], same: evenly(-9, -1) };
    expect([suggestDistance(few), suggestRank(few)]).toEqual([null, null]);
  });

  it('with halves leave it to the far ones', () => {
    const far = evenly(0.4, 1);
    expect(suggestDistance({ far, near: [], same: [0.01] })).toBe(0.4);
  });
});

describe('the share that passes', () => {
  it('counts what is at the ceiling, and is unknown of nothing', () => {
    expect(admittedBy(0.2, { far: [0.1, 0.2, 0.3, 0.4], near: [0.2], same: [] })).toEqual({
      far: 0.5,
      near: 1,
      same: null,
    });
  });

  it('grows with the ceiling', () => {
    fc.assert(
      fc.property(samplesOf(distance), distance, distance, (samples, a, b) => {
        const [low, high] = [admittedBy(Math.min(a, b), samples), admittedBy(Math.max(a, b), samples)];
        for (const name of ['far', 'near', 'same'] as const) {
          expect(low[name]).toBeLessThanOrEqual(high[name] as number);
        }
      }),
    );
  });
});

describe('a quantile', () => {
  it('is a value at or below which lies no more than the share, but for the least', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(distance, { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const found = quantile(values, share);
          expect(values).toContain(found);
          const below = values.filter((value) => value <= found).length;
          expect(below).toBeLessThanOrEqual(Math.max(1, share * values.length + 1e-9));
        },
      ),
    );
  });
});
