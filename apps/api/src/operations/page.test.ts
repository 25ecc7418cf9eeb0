import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageText } from './page.ts';

describe('a page of a text', () => {
  it('ends at a line and says where to go on', () => {
    expect(pageText('one\ntwo\nthree\n', 0, 9)).toEqual({
      text: 'one\ntwo\n',
      offset: 0,
      next_offset: 8,
      total_chars: 14,
    });
  });

  it('is the last one when the rest fits', () => {
    expect(pageText('one\ntwo', 4, 9)).toEqual({ text: 'two', offset: 4, next_offset: null, total_chars: 7 });
  });

  it('is empty beyond the end', () => {
    expect(pageText('one', 50, 9)).toMatchObject({ text: '', next_offset: null });
  });

  it('gives the whole text back when pages are laid end to end, and splits no character', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '漢'), { maxLength: 80 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, maxChars) => {
        let offset: number | null = 0;
        let joined = '';
        for (let pages = 0; offset !== null; pages++) {
          expect(pages).toBeLessThanOrEqual(text.length);
          const page = pageText(text, offset, maxChars);
          expect(page.text.length).toBeLessThanOrEqual(Math.max(2, maxChars));
          expect(page.text).not.toMatch(/\p{Surrogate}/u);
          joined += page.text;
          offset = page.next_offset;
        }
        expect(joined).toBe(text);
      }),
    );
  });
});
