import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdown } from '../../../../../test/support/placed-text.ts';
import type { Run } from './model.ts';
import { placeText } from './runs.ts';

/** Pieces as the parser gives them; those that begin with `^` stand small and high, `_` small and low, `=` are only small. */
function line(pieces: readonly string[], gap = 0): Run[] {
  let x = 50;
  const items = pieces.map((piece) => {
    const mark = /^[_^=]/.exec(piece)?.[0];
    const str = mark ? piece.slice(1) : piece;
    const size = mark ? 6 : 10;
    const y = 700 + (mark === '^' ? 4 : mark === '_' ? -2 : 0);
    const item = { str, width: str.length * size * 0.5, transform: [size, 0, 0, size, x, y], fontName: 'body' };
    x += item.width + gap;
    return { ...item, dir: 'ltr', height: size, hasEOL: false };
  });
  const viewport = { transform: [1, 0, 0, -1, 0, 800] } as unknown as Parameters<typeof placeText>[1];
  return [...placeText({ items, styles: {}, lang: null }, viewport).runs];
}

describe('a raised mark', () => {
  it.each([
    [['void.', '^12', ' Later'], 'void.^12 Later'],
    [['disagreed', '^3', ', and'], 'disagreed^3, and'],
    [['claims', '^1', '^,', '^2', ' of'], 'claims^1,2 of'],
    [['a table', '^b', ' of'], 'a table^b of'],
    [['12.5', '^c'], '12.5^c'],
    [['in 10', '^3', ' words'], 'in 10^3 words'],
    [['E = mc', '^2'], 'E = mc^2'],
    [['Wattline', '^TM', ' only'], 'Wattline ™ only'],
    [['a note³ of'], 'a note^3 of'],
    [['a note¹next'], 'a note^1 next'],
  ])('stands apart from its word: %j', (pieces, text) => {
    expect(markdown(line(pieces))).toBe(text);
  });

  it.each([
    [['84 m', '^2', ' of'], '84 m² of'],
    [['in W/(m', '^2', 'K)'], 'in W/(m²K)'],
    [['9.8 m s', '^-2'], '9.8 m s⁻²'],
    [['x', '^2', ' + 1'], 'x² + 1'],
    [['12 m³ of gas'], '12 m³ of gas'],
    [['the 1', '^st', ' of May'], 'the 1st of May'],
    [['CO', '_2', ' and H', '_2', 'O'], 'CO2 and H2O'],
    [['H', '^2', 'O'], 'H2O'],
    [['about 1', '^1', '/', '_2', ' hours'], 'about 1 1/2 hours'],
  ])('is part of what it stands by where it makes one thing of it: %j', (pieces, text) => {
    expect(markdown(line(pieces))).toBe(text);
  });

  it('that begins a footnote is its number, even where a space parts it', () => {
    expect(markdown(line(['^12', 'See the file']))).toBe('12 See the file');
    expect(markdown(line(['^7', 'See the file'], 6))).toBe('7 See the file');
  });

  it('leaves its word to be found', () => {
    const words = fc.stringMatching(/^[a-z]{4,9}$/);
    const { indexTerms } = createAnalyzer('en');
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 99 }), (word, number) => {
        const text = markdown(line([`the ${word}`, `^${number}`, ' and']));
        expect(indexTerms(text)).toEqual(expect.arrayContaining(indexTerms(word)));
      }),
    );
  });

  it('is none where letters are only smaller', () => {
    expect(markdown(line(['No', '=12', ' and H', '=ARBOUR']))).toBe('No12 and HARBOUR');
  });
});
