import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { ChunkRow, LexicalCandidate, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import type { ReadRules } from '@vault-mcp/shared/vault/access';
import { describe, expect, it } from 'vitest';
import { lexicalMatch, lookUp, ONCE, queryFrequencies, withinCeiling } from './lexical.ts';

const analyzer = createAnalyzer('en');

/** Knows how often each index term stands in the vault, how many chunks hold each phrase together, and notes' titles. */
function fakeReader(
  frequencies: Record<string, number>,
  together: Record<string, number> = {},
  titles: Record<number, string> = {},
) {
  const asked: string[] = [];
  return {
    asked,
    documentFrequencies: (terms: readonly string[]) => new Map(terms.map((term) => [term, frequencies[term] ?? 0])),
    lexicalCandidates: (match: string, _filter: SearchFilter, limit: number): LexicalCandidate[] => {
      asked.push(match);
      const count = Math.min(limit, together[match] ?? 0);
      return Array.from({ length: count }, (_, index) => ({ chunkId: index, fileId: index, bm25: -1 }));
    },
    termHolders: (match: string, _rules: ReadRules, atMost: number) => {
      asked.push(match);
      return Math.min(atMost, together[match] ?? 0);
    },
    chunks: (ids: readonly number[]) =>
      ids.map((id) => ({ id, title: titles[id] ?? 'Untitled', path: `${id}.md` }) as ChunkRow),
  };
}

describe('the words of a query', () => {
  it('are asked for by any of them, the rarest first', () => {
    const terms = queryFrequencies(fakeReader({ heat: 300, pump: 20, nois: 90 }), analyzer, 'heat pump noise', null);
    expect(lexicalMatch(terms, 200_000)).toBe('"pump" OR "nois" OR "heat"');
  });

  it('count again as often as they are said, up to thrice, as far as the budget goes', () => {
    const query = 'pump noise, pump noises, the pump or the pump';
    const asked = (frequencies: Record<string, number>, mostTimes?: number) =>
      lexicalMatch(queryFrequencies(fakeReader(frequencies), analyzer, query, null), 200_000, mostTimes);
    expect(asked({ pump: 20, nois: 90 })).toBe('"pump" OR "nois" OR "pump" OR "nois" OR "pump"');
    expect(asked({ pump: 20, nois: 30_000 })).toBe('"pump" OR "nois" OR "pump" OR "pump"');
    expect(asked({ pump: 20, nois: 90 }, ONCE)).toBe('"pump" OR "nois"');
  });

  it('leave out those too frequent to be worth their cost, beginning with the most frequent', () => {
    const terms = queryFrequencies(
      fakeReader({ heat: 39_000, pump: 20, nois: 90_000 }),
      analyzer,
      'heat pump noise',
      null,
    );
    expect(lexicalMatch(terms, 200_000)).toBe('"pump" OR "heat"');
  });

  it('leave out what more than half of a large vault holds, which full-text ranking gives no weight', () => {
    const terms = queryFrequencies(fakeReader({ heat: 9_000, pump: 20 }), analyzer, 'heat pump', null);
    expect(lexicalMatch(terms, 17_000)).toBe('"pump"');
    expect(lexicalMatch(terms, 19_000)).toBe('"pump" OR "heat"');
    const few = queryFrequencies(fakeReader({ heat: 9, pump: 2 }), analyzer, 'heat pump', null);
    expect(lexicalMatch(few, 10)).toBe('"pump" OR "heat"');
  });

  it('keep the rarest at any price', () => {
    const terms = queryFrequencies(fakeReader({ heat: 150_000, pump: 180_000 }), analyzer, 'heat pump', null);
    expect(lexicalMatch(terms, 200_000)).toBe('"heat"');
  });

  it('ask for an identifier as a whole when its parts are too frequent', () => {
    const reader = fakeReader({ '2026': 150_000, '11': 30_000, '29': 25_000 });
    const match = lexicalMatch(queryFrequencies(reader, analyzer, '2026-11-29', null), 200_000);
    expect(match).toContain('"2026 11 29"');
    expect(match).not.toContain('"2026" OR');
  });

  it('are never full-text syntax, whatever is written', () => {
    for (const query of [
      '"',
      'a AND (b',
      'NEAR(a b)',
      'title: x*',
      '^a',
      '-x + "y',
      "'; DROP TABLE chunk; --",
      '{a b}:c',
    ]) {
      const match = lexicalMatch(queryFrequencies(fakeReader({}), analyzer, query, null), 0) ?? '""';
      expect(match).toMatch(/^"[^"]*"( OR "[^"]*")*$/);
    }
  });

  it('may be none at all', () => {
    expect(lexicalMatch(queryFrequencies(fakeReader({}), analyzer, '?!', null), 0)).toBeNull();
  });
});

describe('how often a term stands in what may be read', () => {
  const PART: ReadRules = [{ prefix: 'car', read: true }];
  const frequenciesOf = (reader: ReturnType<typeof fakeReader>, query: string) =>
    queryFrequencies(reader, analyzer, query, PART).map(({ term, frequency, cost }) => [term, frequency, cost.all]);

  it('is counted there, while what it costs is of the whole vault', () => {
    const reader = fakeReader({ heat: 300, pump: 20 }, { '"heat"': 7, '"pump"': 0 });
    expect(frequenciesOf(reader, 'heat pump')).toEqual([
      ['heat', 7, 300],
      ['pump', 0, 20],
    ]);
  });

  it('is counted for what is written whole too', () => {
    const reader = fakeReader({ dec: 90, '0054': 40, 'dec-0054': 3 }, { '"dec 0054"': 2, '"dec-0054"': 1 });
    const [term] = queryFrequencies(reader, analyzer, 'DEC-0054', PART);
    expect(term).toMatchObject({ frequency: 2, whole: 1 });
  });

  it('is not counted for what stands nowhere, nor for what stands nearly everywhere', () => {
    const reader = fakeReader({ heat: 150_000 });
    expect(frequenciesOf(reader, 'heat pump')).toEqual([
      ['heat', 150_000, 150_000],
      ['pump', 0, 0],
    ]);
    expect(reader.asked).toEqual([]);
  });
});

describe('how often a term stands in the vault', () => {
  const frequencyOf = (reader: ReturnType<typeof fakeReader>, query: string, term: string) =>
    queryFrequencies(reader, analyzer, query, null).find((each) => each.term === term)?.frequency;

  it('is counted for an identifier by where its tokens stand together, not by the tokens', () => {
    const reader = fakeReader({ dec: 500, '0054': 40 }, { '"dec 0054"': 2 });
    expect(frequencyOf(reader, 'DEC-0054', 'dec-0054')).toBe(2);
  });

  it('is none when the tokens never meet', () => {
    expect(frequencyOf(fakeReader({ dec: 500, '0054': 40 }), 'DEC-0054', 'dec-0054')).toBe(0);
  });

  it('is not counted when a token is absent', () => {
    const reader = fakeReader({ dec: 500 });
    expect(frequencyOf(reader, 'DEC-0054', 'dec-0054')).toBe(0);
    expect(reader.asked).toEqual([]);
  });
});

describe('a look-up', () => {
  const narrowing = { filter: { excludeDirs: [], includeSuperseded: false, readable: null }, k: 6 };

  it('asks for chunks that hold every known term, identifiers as phrases', () => {
    const reader = fakeReader({ dec: 500, '0054': 40, rollback: 30 }, { '"dec 0054"': 2 });
    const query = 'DEC-0054 rollback frobnicate';
    lookUp(reader, query, queryFrequencies(reader, analyzer, query, null), [], narrowing);
    const held = reader.asked.find((match) => match.includes(' AND ')) ?? '';
    expect(held.split(' AND ').sort()).toEqual(['"dec 0054"', '"rollback"']);
  });

  it('holds an identifier whole where it stands as it is written, and its tokens after that', () => {
    const reader = fakeReader(
      { get: 90, user: 50, '7': 40, get_users_7: 1 },
      { '"get_users_7"': 1, '"get user 7"': 2 },
      { 0: 'One', 1: 'Another' },
    );
    const terms = queryFrequencies(reader, analyzer, 'get_users_7', null);
    expect(terms.map(({ whole, frequency }) => [whole, frequency])).toEqual([[1, 2]]);
    const pins = lookUp(reader, 'get_users_7', terms, [], narrowing);
    expect(reader.asked.slice(-2)).toEqual(['"get_users_7"', '"get user 7"']);
    expect(pins.map(({ chunkId }) => chunkId)).toEqual([0, 1]);
  });

  it('is one by an identifier that is rare as it is written, though its tokens meet often', () => {
    const reader = fakeReader({ req: 90, '911': 50, 'req-911': 2 }, { '"req-911"': 2, '"req 911"': 30 });
    const terms = queryFrequencies(reader, analyzer, 'REQ-911', null);
    expect(lookUp(reader, 'REQ-911', terms, [], narrowing).map(({ chunkId }) => chunkId)).toEqual([0, 1]);
  });

  it('holds its identifiers alone where no chunk holds its words beside them, and each of them where none holds both', () => {
    const frequencies = { dec: 500, '0054': 40, '0055': 40, rollback: 30 };
    const one = fakeReader(frequencies, { '"dec 0054"': 1 });
    const pinsOf = (reader: ReturnType<typeof fakeReader>, query: string) =>
      lookUp(reader, query, queryFrequencies(reader, analyzer, query, null), [], narrowing).map(
        ({ chunkId }) => chunkId,
      );
    expect(pinsOf(one, 'DEC-0054 rollback')).toEqual([0]);
    const both = fakeReader(frequencies, { '"dec 0054"': 1, '"dec 0055"': 1, '"dec 0054" OR "dec 0055"': 2 });
    expect(pinsOf(both, 'rollback DEC-0054 DEC-0055')).toEqual([0, 1]);
  });

  it('asks for nothing when every term is common', () => {
    const reader = fakeReader({ heat: 300, pump: 200 });
    const terms = queryFrequencies(reader, analyzer, 'heat pump', null);
    expect(lookUp(reader, 'heat pump', terms, [], narrowing)).toEqual([]);
    expect(reader.asked).toEqual([]);
  });

  it('puts the note that is called by the identifier before one that mentions it more often', () => {
    const reader = fakeReader({ dec: 500, '0054': 40 }, { '"dec 0054"': 2 }, { 0: 'Home', 1: 'DEC-0054 Storage' });
    const query = 'what does DEC-0054 say';
    const pins = lookUp(reader, query, queryFrequencies(reader, analyzer, query, null), [], narrowing);
    expect(pins.map(({ chunkId }) => chunkId)).toEqual([1, 0]);
  });

  it('finds a note that is called by common words among the candidates', () => {
    const reader = fakeReader({ heat: 300, pump: 200 }, {}, { 8: 'Heat Pump' });
    const candidates = [7, 8].map((id) => ({ chunkId: id, fileId: id, bm25: -1 }));
    const pins = lookUp(
      reader,
      'heat pump',
      queryFrequencies(reader, analyzer, 'heat pump', null),
      candidates,
      narrowing,
    );
    expect(pins.map(({ chunkId }) => chunkId)).toEqual([8]);
  });
});

describe('a ceiling on the rank', () => {
  it('keeps what ranks as well or better, lower being better, and everything at 0', () => {
    const candidates = [-9, -5, -1].map((bm25, id) => ({ chunkId: id, fileId: id, bm25 }));
    expect(withinCeiling(candidates, -5).map(({ bm25 }) => bm25)).toEqual([-9, -5]);
    expect(withinCeiling(candidates, 0)).toHaveLength(3);
    expect(withinCeiling(candidates, undefined)).toHaveLength(3);
  });
});
