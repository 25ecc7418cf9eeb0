import { describe, expect, it } from 'vitest';
import { markdown, run } from '../../../../../test/support/placed-text.ts';
import type { Run } from './model.ts';

/** Each letter a run of its own; a space is a gap as wide as a letter and the gaps beside it. */
function spread(text: string, gap: number, more: Partial<Run> = {}): Run[] {
  return [...text].flatMap((letter, at) => (letter === ' ' ? [] : [run(letter, at * (5 + gap), 0, more)]));
}

describe('letters with gaps between them', () => {
  it.each([
    ['R E C H N U N G', 'RECHNUNG'],
    ['T O T A L : 50', 'TOTAL: 50'],
    ['sehr w i c h t i g ist', 'sehr wichtig ist'],
    ['С Ч Ё Т', 'СЧЁТ'],
  ])('are words: %s', (text, word) => {
    expect(markdown([run(text, 0, 0)])).toBe(word);
  });

  it.each(['A B C D E F', 'A B D E', 'M T W T F S S', 'x x x x x', 'a e i o u', 'ä ö ü ß Ä Ö Ü', 'N O T', 'I a m'])(
    'are none where they are a list: %s',
    (text) => {
      expect(markdown([run(text, 0, 0)])).toBe(text);
    },
  );

  it('are words where each is placed by itself, parted where the gap is wider', () => {
    expect(markdown(spread('GENERAL TERMS', 6))).toBe('GENERAL TERMS');
    expect(markdown(spread('DIE RECHNUNG', 3))).toBe('DIE RECHNUNG');
  });

  it('are left to their gaps where they are only placed one by one', () => {
    const kerned = (word: string, x: number): Run[] =>
      [...word].map((letter, at) => run(letter, x + at * 5.3 + (at % 2) * 0.3, 0));
    expect(markdown([...kerned('holder', 0), ...kerned('vacant', 52)])).toBe('holder\tvacant');
  });

  it('are short words too beside a long one in the same type', () => {
    expect(markdown([run('D I E', 0, 0), run('R E C H N U N G', 37, 0)])).toBe('DIE RECHNUNG');
    expect(markdown([run('A B C', 0, 0, { size: 8 }), run('R E C H N U N G', 24, 0)])).toBe('A B C RECHNUNG');
  });
});
