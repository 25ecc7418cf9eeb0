/** The parts of `npm run bench:peers` that measure nothing: what is asked, what is compared, what stands in a table. */
import { describe, expect, it } from 'vitest';
import { ranked } from '../../bench/peers/contenders/ripgrep.mjs';
import { drawQueries } from '../../bench/peers/drawn-queries.mjs';
import { judgedByPath } from '../../bench/peers/judged-notes.mjs';
import { titleAndText } from '../../bench/peers/note-files.mjs';
import { recallAgainst } from '../../bench/peers/recall.mjs';
import { renderQuality, renderSpeed } from '../../bench/peers/report.mjs';
import { fileNameOf } from '../../bench/relevance/notes.mjs';

const NOTES = [
  { title: 'Tomatoes', text: 'Prune the side shoots every week.' },
  { title: '堆肥', text: '春になると湯気が立つので、よく混ぜてください。' },
  { title: 'Nothing in it', text: '…' },
];

describe('drawn queries', () => {
  it('are the same in every run, and as many as are asked for', () => {
    expect(drawQueries(NOTES, 40)).toEqual(drawQueries(NOTES, 40));
    expect(drawQueries(NOTES, 40)).toHaveLength(40);
  });

  it('are titles of notes and words that they hold, and never empty', () => {
    const said = NOTES.map(({ title, text }) => `${title} ${text}`).join(' ');
    for (const query of drawQueries(NOTES, 200)) {
      expect(query.trim()).not.toBe('');
      for (const word of query.split(' ')) expect(said).toContain(word);
    }
  });

  it('have a fourth that stands in a note literally, as two words side by side', () => {
    const pairs = drawQueries(NOTES.slice(0, 1), 80).filter((_, n) => n % 4 === 2);
    for (const pair of pairs) expect(NOTES[0]?.text).toContain(pair);
  });

  it('of a vault without a word are an error', () => {
    expect(() => drawQueries(NOTES.slice(2), 1)).toThrow('no word');
  });
});

describe('title and text of a note', () => {
  it('are its first heading, and all the rest', () => {
    expect(titleAndText('a/b.md', '# Tomatoes\n\nPrune.\n')).toEqual({ title: 'Tomatoes', text: '\n\nPrune.\n' });
    expect(titleAndText('b.md', '---\ntags: [x]\n---\n# Tomatoes\nPrune.')).toEqual({
      title: 'Tomatoes',
      text: '---\ntags: [x]\n---\n\nPrune.',
    });
  });

  it('are the name of the file and all of it where no heading comes first', () => {
    const content = 'Prune.\n\n# Later\n';
    expect(titleAndText('Garden/Side shoots.md', content)).toEqual({ title: 'Side shoots', text: content });
  });
});

it('recall is the average share of what is nearest, whatever its order', () => {
  expect(
    recallAgainst(
      [[2, 1], [5]],
      [
        [1, 2],
        [4, 5],
      ],
    ),
  ).toBe(0.75);
  expect(() => recallAgainst([[1]], [[1], [2]])).toThrow('the same queries');
});

it('ripgrep’s notes come by how often they say it, then by path', () => {
  expect(ranked('./b.md\x002\n./with:colon.md\x009\n./a.md\x002\n')).toEqual(['with:colon.md', 'a.md', 'b.md']);
  expect(ranked('')).toEqual([]);
});

it('judgments are by the path of the note that a document became', () => {
  const judged = judgedByPath({ id: 'q', text: 'shoots', judgments: new Map([['a/1', 2]]) });
  expect(judged).toEqual({ text: 'shoots', judgments: [[fileNameOf('a/1'), 2]] });
});

describe('a table', () => {
  const search = { p50: 0.04, p95: 2 };
  const memory = { now: 40, peak: 60 };

  it('leaves out of who does not rank or index what there is not', () => {
    const library = { label: 'library', file: 'l', kept: 'memory', ranks: 50 };
    const grep = { label: 'grep', file: 'g', kept: 'nothing', ranks: 0 };
    const figures = { seconds: 0.5, settled: null, search, answered: 0.984, afterIndex: 50, memory };
    const table = renderSpeed('vault', 7, [
      { contender: library, figures },
      { contender: { ...library, label: 'embeds' }, figures: { ...figures, settled: 3 } },
      { contender: grep, figures },
    ]);
    expect(table).toContain('| library | memory | 0.50 s | 0.04 / 2.0 ms | 98 % | 50 (60) MB |');
    expect(table).toContain('| embeds | memory | 0.50 s, all embedded 3.00 s |');
    expect(table).toContain('| grep | nothing | – | 0.04 / 2.0 ms | 98 % | – |');
  });

  it('says nothing of recall@50 where ten are ranked', () => {
    const page = { label: 'page', file: 'p', kept: 'disk', ranks: 10 };
    const figures = [
      { ndcg10: 0.4, recall50: 0.1 },
      { ndcg10: 0.6, recall50: 0.1 },
    ];
    const rows = [
      { contender: page, figures },
      { contender: { ...page, label: 'deep', ranks: 50 }, figures },
    ];
    const table = renderQuality(['one', 'two'], rows);
    expect(table).toContain('| page | 0.400 (–) | 0.600 (–) | 0.500 |');
    expect(table).toContain('| deep | 0.400 (0.100) | 0.600 (0.100) | 0.500 |');
  });
});
