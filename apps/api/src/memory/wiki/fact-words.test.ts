import { describe, expect, it } from 'vitest';
import { PIECE, wordsOf } from './fact-words.ts';

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'word' });

/** Remembers how much text it is given at a time, and how much in all. */
function watched() {
  const lengths: number[] = [];
  const segment = (text: string) => {
    lengths.push(text.length);
    return SEGMENTER.segment(text);
  };
  return {
    segmenter: { segment },
    longest: () => Math.max(0, ...lengths),
    all: () => lengths.reduce((a, b) => a + b, 0),
  };
}

describe('the words of a fact', () => {
  it.each([
    ['of Latin letters', 'The boiler was serviced by Aurelia in May, for 900 euro. '],
    ['with apostrophes', "It's Ruth's boiler-room's door. "],
    ['without a blank', 'a.b-c,d;'],
    ['of one word', 'ж'],
    ['of signs', '5+5=€10/a '],
    ['of scripts without blanks', 'ボイラーは五月に点検する。煙突は三月に掃除した、'],
    ['of Thai', 'หม้อไอน้ำได้รับการซ่อมบำรุงในเดือนพฤษภาคม'],
    ['of surrogate pairs', '𠮷野家𝒳'],
  ])('%s are taken from short pieces, and never much more than the text itself', (_what, part) => {
    const text = part.repeat(Math.ceil(100_000 / part.length));
    const { segmenter, longest, all } = watched();
    expect(wordsOf(text, segmenter).length).toBeGreaterThan(0);
    expect(longest()).toBeLessThanOrEqual(PIECE);
    // Signs are written as letters, and the end of each piece is looked at twice.
    expect(all()).toBeLessThan(text.length * 8);
  });

  it('of plain Latin letters need no dictionary', () => {
    const { segmenter, all } = watched();
    expect(wordsOf('The “boiler” (in Zürich) was serviced, in 2024!', segmenter)).toEqual([
      'the',
      'boiler',
      'in',
      'zürich',
      'was',
      'serviced',
      'in',
      '2024',
    ]);
    expect(all()).toBe(0);
  });

  it.each([
    'The boiler’s door – by Aurelia – costs 5.50, "not" 3,000; it isn\'t (yet) done: x_y, e.g. a.b.',
    'ボイラーは五月に点検する。煙突は三月に掃除した',
    'Котёл обслуживали в мае, за 900 евро.',
    'หม้อไอน้ำได้รับการซ่อมบำรุง',
  ])('are those that a segmenter finds in the whole: %s', (text) => {
    const whole = [...SEGMENTER.segment(text.normalize('NFKC').toLowerCase())].filter(({ isWordLike }) => isWordLike);
    expect(wordsOf(text)).toEqual(whole.map(({ segment }) => segment));
  });

  it('are the same wherever in a long line they stand', () => {
    const one = '煙突は三月に掃除した。';
    const words = wordsOf(one);
    expect(wordsOf(one.repeat(300))).toEqual(Array.from({ length: 300 }, () => words).flat());
  });
});
