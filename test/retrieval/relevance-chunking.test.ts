/**
 * What `npm run relevance:chunking` is made of, apart from the product: the notes it makes up, how it reads ranked chunks as what is
 * judged, and how it tells of it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHUNK_RULES } from '@vault-mcp/shared/chunk/rules';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { describe, expect, it } from 'vitest';
import { IN_FORCE, VARIANTS, withoutTitle } from '../../bench/relevance/chunk-variants.mjs';
import { keepMeasured, readKept } from '../../bench/relevance/chunking-kept.mjs';
import { comparedWith, renderChunking } from '../../bench/relevance/chunking-report.mjs';
import { chunkSizes, fingerprint } from '../../bench/relevance/chunks-made.mjs';
import { joinedNotes } from '../../bench/relevance/joined-notes.mjs';
import { needleSets } from '../../bench/relevance/needles.mjs';
import { chunksRead, isTouched, passagesRead } from '../../bench/relevance/passages.mjs';
import { seeded } from '../../bench/relevance/seeded.mjs';

const PASSAGES = new Map([
  [
    'a.md',
    [
      { id: 'first', from: 3, to: 5 },
      { id: 'second', from: 6, to: 6 },
      { id: 'third', from: 7, to: 9 },
    ],
  ],
  ['b.md', [{ id: 'other', from: 1, to: 4 }]],
]);
const place = (path: string, lineStart: number, lineEnd: number) => ({ path, lineStart, lineEnd });

describe('ranked chunks read as passages', () => {
  it('give each passage that a chunk holds a place of its own, in reading order, and only once', () => {
    const ranked = [place('a.md', 6, 7), place('b.md', 1, 2), place('a.md', 3, 6)];
    expect(passagesRead(ranked, PASSAGES, 50)).toEqual(['second', 'third', 'other', 'first']);
  });

  it('are as many as asked for, also where one chunk holds more', () => {
    expect(passagesRead([place('a.md', 1, 9)], PASSAGES, 2)).toEqual(['first', 'second']);
  });

  it('say nothing of lines that are not judged and of notes that are not known', () => {
    expect(passagesRead([place('a.md', 1, 2), place('c.md', 1, 9)], PASSAGES, 50)).toEqual([]);
  });
});

describe('ranked chunks read as one place each', () => {
  const judgments = new Map([['third', 1]]);

  it('count a chunk that holds all lines of the answer, whatever else it holds', () => {
    const ranked = [place('b.md', 1, 4), place('a.md', 3, 9)];
    expect(chunksRead(ranked, PASSAGES, judgments, 50)).toEqual(['chunk 0', 'third']);
  });

  it('do not count a chunk that holds a part of it, unless that is enough', () => {
    expect(chunksRead([place('a.md', 3, 8)], PASSAGES, judgments, 50)).toEqual(['chunk 0']);
    expect(chunksRead([place('a.md', 3, 8)], PASSAGES, judgments, 50, isTouched)).toEqual(['third']);
  });
});

describe('joined notes', () => {
  const documents = Array.from({ length: 60 }, (_, n) => ({
    id: `d${n}`,
    title: n % 3 === 0 ? '' : `# Title | of\n${n}`,
    text: `word${n} stands here . it was found to | do so\nin case ${n}`,
  }));

  it('are the same for the same seed and others for another', () => {
    const texts = (seed: string) => [...joinedNotes(seed, documents).notes.values()];
    expect(texts('one')).toEqual(texts('one'));
    expect(texts('one')).not.toEqual(texts('two'));
  });

  it('hold every document once, and its words on the lines that are judged', () => {
    const { notes, passages } = joinedNotes('one', documents);
    const held = [...passages].flatMap(([path, places]) => {
      const lines = (notes.get(path) ?? '').split('\n');
      return places.map(({ id, from, to }) => ({ id, text: lines.slice(from - 1, to).join('\n') }));
    });
    expect(held.map(({ id }) => id).toSorted()).toEqual(documents.map(({ id }) => id).toSorted());
    for (const { id, text } of held) expect(text).toContain(`word${id.slice(1)} stands`);
  });

  it('take every form that a rule is about', () => {
    const all = [...joinedNotes('one', documents).notes.values()].join('\n');
    for (const form of [/^## /m, /^### /m, /^#### /m, /^- \*\*/m, /^\| --- \|/m]) expect(all).toMatch(form);
  });

  it('keep marks of a document from making more cells or headings', () => {
    const { notes } = joinedNotes('one', documents);
    for (const text of notes.values()) {
      for (const line of text.split('\n').filter((one) => one.startsWith('| ')))
        expect(line.split('|')).toHaveLength(4);
      expect(parseNote(text).headings.every(({ text: heading }) => !heading.startsWith('#'))).toBe(true);
    }
  });
});

describe('made-up sets', () => {
  it('are the same each time', () => {
    expect(needleSets()).toEqual(needleSets());
  });

  it.each(needleSets().map((set) => [set.name, set] as const))('ask of %s what their notes hold', (_name, set) => {
    const ids = [...set.passages.values()].flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(set.queries.length).toBeGreaterThan(50);
    for (const { judgments } of set.queries) for (const id of judgments.keys()) expect(ids).toContain(id);
  });
});

describe('seeded chance', () => {
  it('loses and doubles nothing when it shuffles', () => {
    const values = Array.from({ length: 100 }, (_, n) => n);
    const mixed = seeded('any').shuffled(values);
    expect(mixed).not.toEqual(values);
    expect(mixed.toSorted((a, b) => a - b)).toEqual(values);
  });
});

describe('a variant', () => {
  const note = parseNote(
    `# Top\n\n${'A sentence of some words. '.repeat(60)}\n\n## Below\n\n${'More of them. '.repeat(90)}\n`,
  );
  const sizes = { targetTokens: 200, overlapTokens: 30, minTokens: 60, maxTokens: 1500, title: 'Top' };
  const variantOf = (how: string) => VARIANTS.find((variant) => variant.how === how);

  it('stands for each rule of the chunker', () => {
    const changed = VARIANTS.filter(({ chunk }) => chunk !== undefined).length;
    expect(changed).toBeGreaterThanOrEqual(Object.keys(CHUNK_RULES).length);
    expect(IN_FORCE.chunk).toBeUndefined();
  });

  it('without breadcrumbs keeps the texts', () => {
    const without = variantOf('neither indexed nor embedded')?.chunk?.(note, sizes);
    const inForce = variantOf('split at lines like text')?.chunk?.(note, sizes);
    expect(without?.map(({ text }) => text)).toEqual(inForce?.map(({ text }) => text));
    expect(inForce?.some(({ breadcrumb }) => breadcrumb === 'Top > Below')).toBe(true);
    expect(without?.every(({ breadcrumb }) => breadcrumb === '')).toBe(true);
  });

  it('without overlap repeats nothing', () => {
    const length = (how: string) =>
      variantOf(how)
        ?.chunk?.(note, sizes)
        .reduce((sum, { text }) => sum + text.length, 0);
    expect(length('none')).toBeLessThan(length('split at lines like text') ?? 0);
  });

  it('without the title embeds the breadcrumb, or the text alone', () => {
    expect(withoutTitle('Title - what\nA > B\n\ntext\n\nmore')).toBe('A > B\n\ntext\n\nmore');
    expect(withoutTitle('Title - what\n\ntext\n\nmore')).toBe('text\n\nmore');
  });
});

describe('chunks in figures', () => {
  const chunk = (text: string, path = 'a.md') => ({ path, ordinal: 0, lineStart: 1, breadcrumb: '', text });

  it('are how many a note has, their sizes and the share below the minimum', () => {
    const options = { notes: 2, tokensOf: (text: string) => text.length, minTokens: 3 };
    expect(chunkSizes([chunk('a'), chunk('bbbb'), chunk('ccc'), chunk('dd')], options)).toEqual({
      ...{ perNote: 2, median: 3, largest: 4, belowMinimum: 0.5 },
    });
  });

  it('are told apart by what search ranks, not by their order', () => {
    const [a, b] = [chunk('a'), chunk('b', 'b.md')];
    expect(fingerprint([a, b])).toBe(fingerprint([b, a]));
    expect(fingerprint([a, b])).not.toBe(fingerprint([{ ...a, breadcrumb: 'X' }, b]));
  });
});

describe('the report', () => {
  const figures = (ndcg10: number) => ({ ndcg10, recall10: 0.5, recall50: 0.75, mrr: 0.25 });
  const words = (...ndcg: number[]) => ({
    perQuery: ndcg.map((value) => ({ lexical: figures(value), dense: null, hybrid: null })),
    arms: { lexical: figures(ndcg.reduce((sum, value) => sum + value, 0) / ndcg.length), dense: null, hybrid: null },
  });
  const sizes = { perNote: 2, median: 100, largest: 400, belowMinimum: 0.25 };
  const measured = {
    ...{ name: 'garden-joined', about: '3 questions', by: 'Measured today' },
    ...comparedWith({ rule: 'all', how: '', same: false, sizes, ...words(0.5, 0.5, 0.5) }, [
      { rule: 'breadcrumb', how: 'none', same: false, sizes, ...words(0.2, 0.6, 0.5) },
      { rule: 'overlap', how: 'none', same: true },
    ]),
  };
  const report = renderChunking([measured]);

  it('says what changes without a rule and for how many questions', () => {
    expect(report).toContain('| breadcrumb: none | −0.067 (1 worse, 1 better) |');
    expect(report).toContain('| breadcrumb: none | 2.0 | 100 / 400 | 25 % | −0.067 / 0 / 0 / 0 |');
  });

  it('says where a rule does not act at all', () => {
    expect(report).toContain('| overlap: none | = |');
    expect(report).toContain('No chunk differs with: overlap: none.');
  });

  it('is the same of what was kept, and of no more than was measured', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vault-mcp-kept-'));
    try {
      keepMeasured(measured, folder);
      expect(renderChunking(readKept(['never measured', 'garden-joined'], folder))).toBe(report);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
