import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderWidth } from './render-size.ts';

it('renders an A4 page at 300 dpi', () => {
  expect(renderWidth(595.28, 841.89)).toBe(2480);
});

it('never asks for a canvas beyond its caps, whatever size a page claims', () => {
  const side = fc.double({ min: 0.001, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const pixels = renderWidth(width, height);
      if (pixels === null) return;
      const tall = height * (pixels / width);
      expect(pixels).toBeGreaterThanOrEqual(1);
      expect(Math.max(pixels, tall)).toBeLessThanOrEqual(5_001);
      expect(pixels * tall).toBeLessThanOrEqual(18_100_000);
    }),
  );
});

it.each([
  [0, 842],
  [595, -1],
  [Number.NaN, 842],
  [595, Number.POSITIVE_INFINITY],
  [14_400, 0.1],
  [0.1, 14_400],
])('has no width for a page of %d by %d points', (width, height) => {
  expect(renderWidth(width, height)).toBeNull();
});
