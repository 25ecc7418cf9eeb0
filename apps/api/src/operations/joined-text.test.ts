import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedText } from './joined-text.ts';

const piece = (text: string, lineStart: number, lineEnd: number) => ({ text, lineStart, lineEnd });

describe('a text put together from its chunks', () => {
  it('has an overlap of two pieces once', () => {
    const chunks = [piece('one two three', 1, 1), piece('three four', 1, 1)];
    expect(joinedText(chunks)).toBe('one two three four');
  });

  it('has the header of a split table once, and its rows without a gap', () => {
    const chunks = [piece('| a |\n|---|\n| 1 |', 3, 5), piece('| a |\n|---|\n| 2 |\n| 3 |', 6, 7)];
    expect(joinedText(chunks)).toBe('| a |\n|---|\n| 1 |\n| 2 |\n| 3 |');
  });

  it('keeps the lines of a split list or paragraph together', () => {
    expect(joinedText([piece('- one', 1, 1), piece('- two', 2, 2)])).toBe('- one\n- two');
    expect(joinedText([piece('One sentence.', 1, 1), piece('Another.', 1, 1)])).toBe('One sentence. Another.');
  });

  it('parts what does not touch with a blank line, even when it begins as the piece before ended', () => {
    expect(joinedText([piece('a\nsame', 1, 2), piece('same\nb', 4, 5)])).toBe('a\nsame\n\nsame\nb');
  });

  it('is empty for no chunks', () => {
    expect(joinedText([])).toBe('');
  });

  it('gives a text back that was cut with any overlap in which nothing repeats', () => {
    const texts = fc
      .integer({ min: 2, max: 400 })
      .map((length) => Array.from({ length }, (_, i) => String.fromCodePoint(0x4e00 + i)).join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 3, max: 60 }), fc.integer({ min: 1, max: 20 }), (text, size, wanted) => {
        const overlap = Math.min(wanted, size - 1);
        const chunks = [];
        for (let from = 0; from === 0 || from + overlap < text.length; from += size - overlap) {
          chunks.push(piece(text.slice(from, from + size), 1, 1));
        }
        expect(joinedText(chunks)).toBe(text);
      }),
    );
  });
});
