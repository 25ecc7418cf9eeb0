import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanQuery, firstCharacters, MAX_QUERY_CHARACTERS } from './query-text.ts';

describe('a query from outside', () => {
  it('is refused when nothing but white space and control characters is in it', () => {
    for (const empty of ['', '   ', '\u0000', ' \n\t\u0000 ']) {
      expect(() => cleanQuery(empty)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }
  });

  it('loses NULs but keeps the words around them apart', () => {
    expect(cleanQuery('heat\u0000pump')).toBe('heat pump');
  });

  it('is accepted at ten kilobytes and refused beyond the limit with the limit named', () => {
    expect(cleanQuery('word '.repeat(2048))).toHaveLength(10_239);
    expect(() => cleanQuery('x'.repeat(MAX_QUERY_CHARACTERS + 1))).toThrow(`${MAX_QUERY_CHARACTERS}`);
  });

  it('holds neither control characters nor lone surrogates afterwards, whatever came in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', 'a', '\u0007') }),
        (a, b) => {
          const query = cleanQuery(`x${a}${b}`);
          expect(query).not.toMatch(/\p{Cc}|\p{Surrogate}/u);
        },
      ),
    );
  });

  it('is cut without splitting a character', () => {
    expect(firstCharacters('ab😀', 3)).toBe('ab');
    expect(firstCharacters('ab😀', 4)).toBe('ab😀');
  });
});
