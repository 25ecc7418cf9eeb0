import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binsOf, histogramLines } from './histogram.ts';
import type { Samples } from './suggest.ts';

const values = fc.array(
  fc.integer({ min: -50_000, max: 50_000 }).map((value) => value / 100),
  { maxLength: 60 },
);
const samples = fc.record({ far: values, near: values, same: values });

describe('the bins of a histogram', () => {
  it('hold every value once, in 20 bins without a gap', () => {
    fc.assert(
      fc.property(samples, (one) => {
        const bins = binsOf(one);
        expect([0, 1, 20]).toContain(bins.length);
        for (const name of ['far', 'near', 'same'] as const) {
          expect(bins.reduce((sum, { count }) => sum + count[name], 0)).toBe(one[name].length);
        }
        for (const [i, bin] of bins.entries()) if (i > 0) expect(bin.from).toBe(bins[i - 1]?.to);
      }),
    );
  });

  it('are not stretched by one stray value', () => {
    const far = [...Array.from({ length: 2_000 }, (_, i) => i / 2_000), 10_000];
    const bins = binsOf({ far, near: [], same: [] });
    expect(bins.at(-1)?.to).toBeLessThan(2);
    expect(bins.at(-1)?.count.far).toBeGreaterThan(90);
  });
});

describe('a histogram', () => {
  const one: Samples = { far: [0.8, 0.9, 0.9, 1], near: [0.3, 0.4], same: [0, 0.1, 0.2] };

  it('shows each series beside the others, and where the ceiling cuts', () => {
    const lines = histogramLines(binsOf(one), 0.22, 2);
    expect(lines).toHaveLength(21);
    expect(lines[0]).toBe('              far               near              same');
    expect(lines[1]).toBe(`0.00 to 0.05  ${' '.repeat(36)}${'#'.repeat(16)}`);
    expect(lines.filter((line) => line.includes('< ceiling'))).toEqual([lines[5]]);
    expect(lines[20]).toMatch(/^0\.95 to 1\.00 {2}#{8}$/);
  });

  it('marks no line without a ceiling, and one beyond the ends at the nearest or none', () => {
    const marked = (ceiling: number | null) =>
      histogramLines(binsOf(one), ceiling, 2).findIndex((line) => line.includes('<'));
    expect([marked(null), marked(-0.1), marked(5)]).toEqual([-1, -1, 20]);
  });

  it('of nothing is its heading', () => {
    expect(histogramLines([], 0.2, 2)).toEqual(['  far               near              same']);
  });

  it('of one value alone is one line', () => {
    expect(histogramLines(binsOf({ far: [0.5, 0.5], near: [], same: [] }), 0.5, 1)).toEqual([
      '            far               near              same',
      `0.5 to 0.5  ${'#'.repeat(16)}${' '.repeat(38)}  < ceiling`.replace(/ {38} {2}</, `${' '.repeat(36)}  <`),
    ]);
  });
});
