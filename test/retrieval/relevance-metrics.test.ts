/** The figures of `npm run relevance` against values worked out by hand, and what its baseline lets pass. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, readBaseline, setsMissing, TOLERANCE, writeBaseline } from '../../bench/relevance/baseline.mjs';
import type { MeasuredSet } from '../../bench/relevance/measure.mjs';
import { averaged, concentration, figuresOf, ndcg, recall, reciprocalRank } from '../../bench/relevance/metrics.mjs';
import { referenceBm25 } from '../../bench/relevance/references.mjs';
import { missedTargets } from '../../bench/relevance/report.mjs';

const GRADES = new Map([
  ['best', 3],
  ['good', 1],
  ['fair', 1],
  ['wrong', 0],
  ['spam', -2],
]);

describe('nDCG', () => {
  it('takes the grade as gain and log2 of the rank plus one as discount', () => {
    // 0, 3/log2(3), 1/log2(4) against 3, 1/log2(3), 1/log2(4).
    const gained = 3 / Math.log2(3) + 1 / 2;
    const ideal = 3 + 1 / Math.log2(3) + 1 / 2;
    expect(ndcg(['unjudged', 'best', 'good'], GRADES, 10)).toBeCloseTo(gained / ideal, 12);
    expect(ndcg(['unjudged', 'best', 'good'], GRADES, 10)).toBeCloseTo(0.579, 3);
  });

  it('is 1 for the ideal order and 0 where nothing relevant is found', () => {
    expect(ndcg(['best', 'fair', 'good'], GRADES, 10)).toBeCloseTo(1, 12);
    expect(ndcg(['wrong', 'unjudged'], GRADES, 10)).toBe(0);
    expect(ndcg([], GRADES, 10)).toBe(0);
  });

  it('gains and loses nothing by a grade below zero', () => {
    expect(ndcg(['spam', 'best'], GRADES, 10)).toBe(ndcg(['unjudged', 'best'], GRADES, 10));
  });

  it('asks no more of a list than its depth can hold', () => {
    expect(ndcg(['best', 'good'], GRADES, 1)).toBe(1);
    expect(ndcg(['good', 'best'], GRADES, 1)).toBeCloseTo(1 / 3, 12);
  });

  it('counts judged documents that nothing can find', () => {
    const absent = new Map([
      ['here', 1],
      ['gone', 1],
    ]);
    expect(ndcg(['here'], absent, 10)).toBeCloseTo(1 / (1 + 1 / Math.log2(3)), 12);
  });
});

describe('recall and reciprocal rank', () => {
  it('count what is graded above zero', () => {
    expect(recall(['best', 'wrong', 'spam', 'good'], GRADES, 10)).toBeCloseTo(2 / 3, 12);
    expect(recall(['best', 'wrong', 'spam', 'good'], GRADES, 3)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank(['wrong', 'spam', 'fair'], GRADES)).toBeCloseTo(1 / 3, 12);
    expect(reciprocalRank(['wrong'], GRADES)).toBe(0);
  });

  it('are told at 10 and 50, and the rank of the first 50 alone', () => {
    const late = [...Array.from({ length: 50 }, (_, n) => `other ${n}`), 'best'];
    expect(figuresOf(late, GRADES)).toEqual({ ndcg10: 0, recall10: 0, recall50: 0, mrr: 0 });
    const twelfth = [...late.slice(0, 11), 'best'];
    expect(figuresOf(twelfth, GRADES)).toMatchObject({ ndcg10: 0, recall10: 0, recall50: 1 / 3, mrr: 1 / 12 });
  });

  it('are averaged over queries, each the same', () => {
    const one = { ndcg10: 1, recall10: 0.5, recall50: 1, mrr: 1 };
    const two = { ndcg10: 0, recall10: 0, recall50: 1, mrr: 0.5 };
    expect(averaged([one, two])).toEqual({ ndcg10: 0.5, recall10: 0.25, recall50: 1, mrr: 0.75 });
  });
});

it('concentration is the share of a page in its most frequent note', () => {
  expect(concentration(['a', 'b', 'a', 'a'])).toBe(0.75);
  expect(concentration(['a', 'b'])).toBe(0.5);
});

/** A set of one answered and one unanswerable query. */
function measured({ hybrid = 0.8, lexical = 0.5, page = 0.8, pinned = 0, bm25 = 0.5 } = {}): MeasuredSet {
  const figures = (ndcg10: number) => ({ ndcg10, recall10: 0.5, recall50: 1, mrr: 1 });
  const arms = { lexical: figures(lexical), dense: figures(0.6), hybrid: figures(hybrid) };
  return {
    ...{ name: 'small', queries: 1, arms, page: { ndcg10: page, concentration: 0.3 } },
    references: { bm25: figures(bm25), minisearch: figures(0.1) },
    perQuery: [
      {
        id: 'q1',
        text: 'a question',
        tags: [],
        arms,
        page: { ndcg10: page, concentration: 0.3, pinned: 1, topScore: 1 },
      },
      {
        ...{ id: 'q2', text: 'nobody knows', tags: ['unanswerable'], arms: null },
        page: { ndcg10: null, concentration: 0.1, pinned, topScore: 0.4 },
      },
    ],
  };
}

describe('the baseline', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vault-mcp-baseline-'));
    writeBaseline(measured(), 'builtin', folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function against(now: MeasuredSet, embedder = 'builtin') {
    const baseline = readBaseline('small', embedder, folder);
    if (baseline === null) throw new Error('It was not written.');
    return compare(now, embedder, baseline);
  }

  it('finds nothing worse or better in what it was made of', () => {
    expect(against(measured())).toEqual({ worse: [], better: [], unknown: 0 });
  });

  it('names a query that got worse, with the arm and both figures', () => {
    const { worse, better } = against(measured({ hybrid: 0.7 }));
    expect(worse).toContain('small, q1 (a question): hybrid 0.8 → 0.7');
    expect(worse).toContain('small, on average: hybrid ndcg10 0.8 → 0.7');
    expect(better).toEqual([]);
  });

  it('finds a query worse though another gained as much', () => {
    const now = measured();
    now.perQuery = now.perQuery.map((query) =>
      query.id === 'q1' ? { ...query, page: { ...query.page, ndcg10: 0.5 } } : query,
    );
    expect(against(now).worse).toEqual(['small, q1 (a question): page 0.8 → 0.5']);
  });

  it('tells what got better without calling it worse', () => {
    const { worse, better } = against(measured({ lexical: 0.9 }));
    expect(worse).toEqual([]);
    expect(better).toContain('small, q1 (a question): lexical 0.5 → 0.9');
  });

  it('lets pass what is within the tolerance of one query', () => {
    const within = against(measured({ page: 0.8 - TOLERANCE / 2 }));
    expect(within.worse.filter((line) => line.includes('q1'))).toEqual([]);
  });

  it('finds it worse when a query without an answer gets a pinned result', () => {
    expect(against(measured({ pinned: 1 })).worse).toEqual(['small, q2 (nobody knows): pinned 0 → 1']);
  });

  it('compares what words rank, and nothing else, with another embedder', () => {
    const { worse } = against(measured({ hybrid: 0.1, lexical: 0.4 }), 'other');
    expect(worse).toEqual(['small, on average: lexical ndcg10 0.5 → 0.4', 'small, q1 (a question): lexical 0.5 → 0.4']);
  });

  it('counts a query and an arm that are no longer measured as worse', () => {
    const whole = measured();
    expect(against({ ...whole, perQuery: [] }).worse).toContain('small, q1: not measured');
    const armless = whole.perQuery.map((query) => ({ ...query, arms: query.arms && { ...query.arms, hybrid: null } }));
    const { worse } = against({ ...whole, arms: { ...whole.arms, hybrid: null }, perQuery: armless });
    expect(worse).toContain('small, q1 (a question): hybrid 0.8 → not measured');
    expect(worse).toContain('small, on average: hybrid ndcg10 0.8 → not measured');
  });

  it('names a set that is no longer measured', () => {
    expect(setsMissing([], 'builtin', folder)).toEqual(['small']);
    expect(setsMissing(['small'], 'builtin', folder)).toEqual([]);
  });

  it('names the file that cannot be read', () => {
    mkdirSync(join(folder, 'torn'));
    writeFileSync(join(folder, 'torn', 'small.jsonl'), '{"embedder":"torn","aver');
    expect(() => readBaseline('small', 'torn', folder)).toThrow(join('torn', 'small.jsonl'));
  });

  it('is none for a set that was never measured', () => {
    expect(readBaseline('another', 'builtin', folder)).toBeNull();
  });
});

describe('the reference BM25', () => {
  const documents = (fillers: number) => [
    { id: 'long', title: '', text: `kiln kiln ${Array.from({ length: fillers }, (_, n) => `filler${n}`).join(' ')}` },
    { id: 'short', title: 'Kilns', text: 'one and only' },
    { id: 'glaze', title: 'Glazing', text: 'glaze clay wheel' },
    { id: 'clay', title: 'Clay', text: 'clay clay clay wheel' },
    ...Array.from({ length: 6 }, (_, n) => ({ id: `other ${n}`, title: '', text: `nothing about it ${n}` })),
  ];
  const rank = referenceBm25(documents(6));

  it('ranks by k1 0.9 and b 0.4, worked out by hand', () => {
    // Once in 2 words against twice in 8, of a mean of 3.1 (stop words are none): 1.072 and 1.095 of the same idf. With k1 1.2 and
    // b 0.75 it were 1.170 and 0.952.
    expect(rank?.('kiln')).toEqual(['long', 'short']);
    // Twice in 10, of a mean of 3.3: 1.081 and 1.047.
    expect(referenceBm25(documents(8))?.('kiln')).toEqual(['short', 'long']);
  });

  it('stems, leaves stop words out, and counts a word as often as the query says it', () => {
    expect(rank?.('the glazes of it')).toEqual(['glaze']);
    expect(rank?.('glaze clay clay clay clay clay')).toEqual(['clay', 'glaze']);
    expect(rank?.('glaze clay')).toEqual(['glaze', 'clay']);
  });

  it('is none for fewer documents than its library takes', () => {
    expect(referenceBm25(documents(6).slice(0, 2))).toBeNull();
  });
});

describe('what is promised', () => {
  it('is met with words as good as the reference and both arms nearly as good as the better one', () => {
    expect(missedTargets([measured({ hybrid: 0.596, bm25: 0.5 })], 'builtin')).toEqual([]);
  });

  it('is missed by words below the reference, by both arms below one, and by a pin where there is no answer', () => {
    expect(missedTargets([measured({ hybrid: 0.59, lexical: 0.45, pinned: 1 })], 'builtin')).toEqual([
      'small: lexical below the reference BM25 by 0.050 nDCG@10',
      'small: hybrid below its better arm by 0.010 nDCG@10',
      'small: q2 (nobody knows) has no answer and a pinned result',
    ]);
  });

  it('is more of a sentence model: both arms together above each', () => {
    expect(missedTargets([measured({ hybrid: 0.61 })], 'a sentence model')).toEqual([]);
    expect(missedTargets([measured({ hybrid: 0.6 })], 'a sentence model')).toEqual([
      'small: hybrid not above its better arm: +0.000 nDCG@10',
    ]);
  });

  it('is more of some kinds of query: identifiers first, paraphrase better than by words', () => {
    const set = measured({ hybrid: 0.6, lexical: 0.6 });
    const [{ arms, ...query }] = set.perQuery as [MeasuredSet['perQuery'][number]];
    const late = { ...arms, hybrid: { ndcg10: 0.6, recall10: 1, recall50: 1, mrr: 0.5 } };
    const perQuery = [
      { ...query, tags: ['identifier'], arms },
      { ...query, tags: ['identifier'], arms: late },
      { ...query, tags: ['paraphrase'], arms },
    ];
    expect(missedTargets([{ ...set, perQuery } as MeasuredSet], 'builtin')).toEqual([
      'small: on paraphrase, hybrid not above lexical: +0.000 nDCG@10',
      'small: q1 (a question) is not found first',
    ]);
  });
});
