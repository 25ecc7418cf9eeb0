import { describe, expect, it } from 'vitest';
import { choosePins, termsToHold } from './lookup.ts';

function word(frequency: number, token = 'word') {
  return { phrase: [token], identifier: false, frequency };
}
function identifier(frequency: number, ...tokens: string[]) {
  return { phrase: tokens.length > 0 ? tokens : ['id'], identifier: true, frequency };
}
function holder(chunkId: number, fileId: number) {
  return { chunkId, fileId, bm25: -1 };
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

describe('which chunks are pinned', () => {
  const holders = [holder(1, 1), holder(2, 1), holder(3, 2), holder(4, 3), holder(5, 4), holder(6, 5), holder(7, 6)];

  it('takes the best of each file, five at most', () => {
    expect(choosePins(holders, 20).map(({ chunkId }) => chunkId)).toEqual([1, 3, 4, 5, 6]);
  });

  it('takes no more than the caller wants to see', () => {
    expect(choosePins(holders, 2).map(({ chunkId }) => chunkId)).toEqual([1, 3]);
  });
});
