import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createAnalyzer } from './analyzer.ts';
import { matchExpression, phrasesOf } from './match-expression.ts';
import { TERM_CHARACTERS } from './terms.ts';

const database = new Database(':memory:');
database.exec(`CREATE VIRTUAL TABLE note_terms USING fts5 (terms, tokenize = "ascii tokenchars '${TERM_CHARACTERS}'")`);
const analyzer = createAnalyzer('en');
const insert = database.prepare('INSERT INTO note_terms (rowid, terms) VALUES (?, ?)');
const select = database.prepare('SELECT rowid FROM note_terms WHERE note_terms MATCH ? ORDER BY rank').pluck();
const notes = [
  'Decision DEC-0054 is to keep the boiler',
  'Decision DEC-0053 mentions 54 boilers',
  'The plate AB12 CDE belongs to the van',
  'The plate CDE, formerly AB12, belongs to nobody',
  'Written in C++ and a little C#',
  'The letter C alone',
  '請求書INV-0042は東京都庁へ',
  'See path.ts in the vault folder',
];
notes.forEach((note, at) => {
  insert.run(at, analyzer.indexTerms(note).join(' '));
});
afterAll(() => database.close());

const find = (query: string, mode: 'any' | 'all'): unknown[] => {
  const expression = matchExpression(analyzer.queryTerms(query), mode);
  return expression === undefined ? [] : select.all(expression);
};

describe('a match expression', () => {
  it('is accepted by FTS5 whatever the query, its own syntax included', () => {
    const syntax = fc.constantFrom(
      '"',
      '*',
      'NEAR(',
      'AND',
      'OR NOT',
      'terms:',
      '^',
      '{',
      '-',
      '+',
      "'",
      '\0',
      '(',
      'ab12 cde',
      '東',
      'x_y',
    );
    const query = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(syntax, fc.string()), { maxLength: 8 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(query, fc.constantFrom('any' as const, 'all' as const), (value, mode) => {
        find(value, mode);
      }),
      { numRuns: 500 },
    );
  });

  it('is accepted by FTS5 even for terms no analyzer made', () => {
    const term = fc.record({
      term: fc.string({ unit: 'binary' }),
      phrase: fc.array(fc.string({ unit: 'binary' })),
      identifier: fc.boolean(),
      times: fc.constant(1),
    });
    fc.assert(
      fc.property(fc.array(term), fc.constantFrom('any' as const, 'all' as const), (terms, mode) => {
        const expression = matchExpression(terms, mode);
        if (expression !== undefined) select.all(expression);
      }),
    );
  });

  it('is taken apart into its phrases, each as often as it stands there', () => {
    expect(phrasesOf('"dec-0054" OR "dec 0054" OR "boiler" OR "boiler"')).toEqual([
      ['dec-0054'],
      ['dec', '0054'],
      ['boiler'],
      ['boiler'],
    ]);
    expect(phrasesOf('"a""b" AND "c"')).toEqual([['a"b'], ['c']]);
  });

  it('is absent when there is nothing to ask for', () => {
    expect(matchExpression(analyzer.queryTerms('"*"'), 'any')).toBeUndefined();
  });

  it('ranks the identifier as written before near misses', () => {
    expect(find('DEC-0054', 'any')[0]).toBe(0);
    expect(find('dec 0054', 'any')[0]).toBe(0);
    expect(find('AB12 CDE', 'any')[0]).toBe(2);
    expect(find('src/vault/path.ts', 'any')).toEqual([7]);
    expect(find('東京', 'any')).toEqual([6]);
    expect(find('庁', 'any')).toEqual([6]);
  });

  it('holds an identifier only where its tokens stand together in order', () => {
    expect(find('AB12 CDE plate', 'all')).toEqual([2]);
    expect(find('C++', 'all')).toEqual([4]);
    expect(find('boiler DEC-0054', 'all')).toEqual([0]);
    expect(find('DEC-0099', 'all')).toEqual([]);
  });
});
