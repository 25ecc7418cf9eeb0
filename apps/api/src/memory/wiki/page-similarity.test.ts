import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { similarity, similarPages } from './page-similarity.ts';

const slugs = fc.stringMatching(/^[a-c]{1,4}(-[a-c]{1,4}){0,3}$/);

describe('the likeness of two pages', () => {
  it.each([
    ['kitchen-tap', 'kitchentap', 1],
    ['tap', 'kitchen-tap', 0.7],
    ['kitchen-taps', 'kitchen-tap', 10 / 11],
    ['garden-shed-roof', 'roof-garden-shed', 1],
    ['boiler-service', 'boiler-manual', 1 / 3],
    ['boiler', 'bathroom', 0],
    ['ab', 'cd', 0],
    ['', 'anything', 0],
  ])('of %s and %s is %d', (one, other, score) => {
    expect(similarity(one, other)).toBeCloseTo(score, 10);
  });

  it('is that of their trigrams where that is the larger', () => {
    // Nine each, of which six are the same.
    expect(similarity('televisions', 'telovisions')).toBeCloseTo(6 / 12, 10);
  });

  it('is the same either way, 1 of itself, and never more', () => {
    fc.assert(
      fc.property(slugs, slugs, (one, other) => {
        const score = similarity(one, other);
        expect(similarity(other, one)).toBe(score);
        expect(similarity(one, one)).toBe(1);
        expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });
});

describe('the pages that a name may mean', () => {
  it('are the five most alike, the most alike first, and none that is not alike', () => {
    const pages = ['tap', 'kitchen-tap', 'kitchen-taps', 'kitchen', 'tap-kitchen', 'a-tap-kitchen', 'boiler'];
    expect(similarPages('kitchen-tap', pages).map(({ slug }) => slug)).toEqual([
      ...['kitchen-tap', 'tap-kitchen', 'kitchen-taps', 'kitchen', 'tap'],
    ]);
    expect(similarPages('roof', pages)).toEqual([]);
  });
});
