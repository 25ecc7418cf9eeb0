import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchPositions, truncateAtBoundary } from './batches.ts';

describe('batches', () => {
  test('hold every text once, in order, within both limits', () => {
    const texts = fc.array(fc.string({ maxLength: 60 }), { maxLength: 80 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 99 }), (all, count, characters) => {
        const batches = batchPositions(all, count, characters);
        expect(batches.flat()).toEqual(all.map((_, position) => position));
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(count);
          const total = batch.reduce((sum, position) => sum + (all[position]?.length ?? 0), 0);
          if (batch.length > 1) expect(total).toBeLessThanOrEqual(characters);
        }
      }),
    );
  });
});

describe('truncation', () => {
  test('gives a head within the limit and never half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 2, max: 120 }), (text, limit) => {
        const head = truncateAtBoundary(text, limit);
        expect(head.length).toBeLessThanOrEqual(limit);
        expect(text.startsWith(head)).toBe(true);
        expect(head.isWellFormed()).toBe(true);
      }),
    );
  });

  test.each([
    ['a sentence', 'One two. Three four five', 10, 'One two.'],
    ['a word where no sentence ends late enough', 'One two three four five', 16, 'One two three'],
    ['anywhere in a text without boundaries', 'x'.repeat(50), 10, 'x'.repeat(10)],
    ['a Japanese sentence', '今日は雨。明日は晴れるでしょう', 7, '今日は雨。'],
  ])('ends at %s', (_, text, limit, expected) => {
    expect(truncateAtBoundary(text, limit)).toBe(expected);
  });
});
