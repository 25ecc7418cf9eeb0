import { describe, expect, it } from 'vitest';
import { type AskedName, choosePins, identifiersToHold, nameRank, type PinSources, termsToHold } from './lookup.ts';

function word(frequency: number, token = 'word') {
  return { phrase: [token], identifier: false, frequency };
}
function identifier(frequency: number, ...tokens: string[]) {
  return { phrase: tokens.length > 0 ? tokens : ['id'], identifier: true, frequency };
}
function holder(chunkId: number, fileId: number, title = `Note ${fileId}`, kind: 'note' | 'document' = 'note') {
  return { chunkId, fileId, bm25: -1, kind, title, path: `Notes/${fileId}.md` };
}

describe('what makes a query a look-up', () => {
  it('demands every term when the rarest stands in at most five chunks', () => {
    const terms = [word(900), identifier(5)];
    expect(termsToHold(terms)).toEqual(terms);
  });

  it('is no look-up when even the rarest term is common', () => {
    expect(termsToHold([word(900), word(6)])).toBeNull();
  });

  it('does not lose an identifier to an unknown word beside it', () => {
    expect(termsToHold([identifier(1), word(0)])).toEqual([identifier(1)]);
  });

  it('pins no near miss when the identifier asked for is not there', () => {
    expect(termsToHold([identifier(0), word(2)])).toBeNull();
  });

  it('pins nothing that holds the tokens of a missing identifier apart', () => {
    const terms = [identifier(1, 'ab12'), word(1, 'cde'), identifier(0, 'ab12', 'cde')];
    expect(termsToHold(terms)).toBeNull();
  });

  it('still looks up the one of two identifiers that is there', () => {
    expect(termsToHold([identifier(0), identifier(2)])).toEqual([identifier(2)]);
  });

  it('ignores an unknown word among known ones, but pins nothing on the one known word of a long question', () => {
    expect(termsToHold([word(3), word(0)])).toEqual([word(3)]);
    expect(termsToHold([word(3), word(0), word(0)])).toBeNull();
  });

  it('is no look-up when nothing of the query is known', () => {
    expect(termsToHold([word(0), identifier(0)])).toBeNull();
    expect(termsToHold([])).toBeNull();
  });
});

describe('what may be held alone where nothing holds the whole query', () => {
  const alone = (term: string, frequency = 1, isIdentifier = true) =>
    identifiersToHold([{ ...identifier(frequency, term), identifier: isIdentifier, term }]).length === 1;

  it.each([
    'dec-0054',
    'parse_run',
    'a@b.example',
    'src/path.ts',
    'ab12 cde',
    '4410a',
    '20931',
    '10.20.30.41',
    '07700 900 441',
    'co2',
  ])('is what names one thing: %s', (term) => {
    expect(alone(term)).toBe(true);
  });

  it.each(['2026', '2026-11-30', '12v', '2nd', '1.200', '10:30'])(
    'is no year, date, time, amount or measure: %s',
    (term) => {
      expect(alone(term)).toBe(false);
    },
  );

  it('is nothing where the query is more about its words', () => {
    const held = (words: number) => [
      { ...identifier(1), term: 'dec-0054' },
      ...Array.from({ length: words }, (_, n) => ({ ...word(90), term: `word${n}` })),
    ];
    expect(identifiersToHold(held(5)).map(({ term }) => term)).toEqual(['dec-0054']);
    expect(identifiersToHold(held(6))).toEqual([]);
  });

  it('is nothing frequent, and no word', () => {
    expect(alone('dec-0054', 6)).toBe(false);
    expect(alone('rollback', 1, false)).toBe(false);
  });
});

describe('how far a note is what a query calls by name', () => {
  const rank = (query: string, title: string, path = 'Notes/x.md', identifiers: string[] = []) =>
    nameRank({ query, identifiers }, { title, path });

  it.each([
    ['DEC-0054', 'DEC-0054'],
    ['dec 0054', 'DEC-0054'],
    ['  heat   pump ', 'Heat Pump'],
    ['"Heat pump"', 'Heat pump'],
    ['straße', 'Straße'],
    ['ヒートポンプ', 'ﾋｰﾄﾎﾟﾝﾌﾟ'],
  ])('is it: %j and the title %j', (query, title) => {
    expect(rank(query, title)).toBe(2);
  });

  it('is it by its file name too, whatever its title', () => {
    expect(rank('DEC-0054', 'Where data lives', 'Decisions/DEC-0054.md')).toBe(2);
  });

  it('only holds it when there is more to the name or to the query', () => {
    expect(rank('DEC-0054', 'DEC-0054 Storage')).toBe(1);
    expect(rank('what does DEC-0054 say', 'DEC-0054 Storage', 'x.md', ['dec-0054'])).toBe(1);
  });

  it.each([
    ['DEC-005', 'DEC-0054'],
    ['DEC-0054', 'DEC-0053'],
    ['C', 'C++'],
    ['heat pump service', 'Heat pump'],
    ['?!', '?!'],
    ['Notes', 'Something else'],
  ])('is not it: %j and the title %j', (query, title) => {
    expect(rank(query, title)).toBe(0);
  });
});

describe('which chunks are pinned', () => {
  const asked = { query: 'DEC-0054', identifiers: ['dec-0054'] };
  const holders = [holder(1, 1), holder(2, 1), holder(3, 2), holder(4, 3), holder(5, 4), holder(6, 5), holder(7, 6)];
  const pinned = (name: AskedName, sources: Partial<PinSources>, k: number) =>
    choosePins(name, { holders: [], loose: [], candidates: [], ...sources }, k).map(({ chunkId }) => chunkId);

  it('takes the best of each file, five at most', () => {
    expect(pinned(asked, { holders }, 20)).toEqual([1, 3, 4, 5, 6]);
  });

  it('takes no more than the caller wants to see', () => {
    expect(pinned(asked, { holders }, 2)).toEqual([1, 3]);
  });

  it('puts the note of that name before those that mention it, and one whose name holds it in between', () => {
    const more = [...holders, holder(8, 7, 'DEC-0054 Storage'), holder(9, 8, 'DEC-0054'), holder(10, 8, 'DEC-0054')];
    expect(pinned(asked, { holders: more }, 20)).toEqual([9, 8, 1, 3, 4]);
    expect(pinned(asked, { holders: more }, 1)).toEqual([9]);
  });

  it('puts what holds an identifier as it is written before what holds it loosely, but for a file of that very name', () => {
    const loose = [holder(8, 1), holder(9, 9, 'DEC 0054 B'), holder(10, 10)];
    expect(pinned(asked, { holders: [holder(1, 1), holder(2, 2)], loose }, 20)).toEqual([1, 2, 9, 10]);
    const named = [...loose, holder(11, 11, 'Dec 0054')];
    expect(pinned(asked, { holders: [holder(1, 1)], loose: named }, 20)).toEqual([11, 1, 9, 10]);
  });

  it('puts notes before documents, but for a document of that very name', () => {
    const more = [
      holder(1, 1, 'Scan', 'document'),
      holder(2, 2, 'Scan of DEC-0054', 'document'),
      holder(3, 3),
      holder(4, 4, 'About DEC-0054'),
    ];
    expect(pinned(asked, { holders: more }, 20)).toEqual([4, 3, 2, 1]);
    const named = [...more, holder(5, 5, 'DEC-0054', 'document')];
    expect(pinned(asked, { holders: named }, 20)).toEqual([5, 4, 3, 2, 1]);
  });

  it('takes the best chunk of a note of that name though no term is rare, and nothing else', () => {
    const candidates = [
      holder(1, 1),
      holder(2, 2, 'Heat pump service'),
      holder(3, 3, 'Heat pump'),
      holder(4, 3, 'Heat pump'),
    ];
    const heatPump = { query: 'heat pump', identifiers: [] };
    expect(pinned(heatPump, { candidates }, 20)).toEqual([3]);
    expect(pinned({ query: 'heat', identifiers: [] }, { candidates }, 20)).toEqual([]);
  });
});
