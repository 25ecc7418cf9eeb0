import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { axis, noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import type { SearchFilter } from './rows.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

const everything: SearchFilter = { excludeDirs: [], includeSuperseded: false, readable: null };
let folder: string;
let path: string;
let writer: IndexWriter;
let reader: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  path = join(folder, 'index.db');
  writer = openIndexWriter(path);
  reader = openIndexReader(path);
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

function lexical(match: string, filter: Partial<SearchFilter> = {}): string[] {
  const hits = reader.lexicalCandidates(match, { ...everything, ...filter }, 50);
  return reader.chunks(hits.map(({ chunkId }) => chunkId)).map((chunk) => chunk.path);
}

describe('finding by words', () => {
  it('ranks by BM25: more of a rare word in a shorter chunk first', () => {
    writer.putFile(noteOf('long.md', [`boiler ${'filler '.repeat(80)}`]));
    writer.putFile(noteOf('short.md', ['boiler boiler']));
    writer.putFile(noteOf('none.md', ['kitchen']));
    expect(lexical('"boiler"')).toEqual(['short.md', 'long.md']);
  });

  it('matches an identifier kept whole, and its parts as a phrase', () => {
    writer.putFile(noteOf('a.md', ['x'], { chunks: noteOf('a.md', ['dec 0054 dec-0054']).chunks }));
    expect(lexical('"dec-0054"')).toEqual(['a.md']);
    expect(lexical('"dec 0054"')).toEqual(['a.md']);
    expect(lexical('"0054 dec"')).toEqual([]);
  });

  it('says in how many chunks a term stands, 0 for one that is nowhere', () => {
    writer.putFile(noteOf('a.md', ['apple pear', 'apple']));
    writer.putFile(noteOf('b.md', ['apple']));
    expect(reader.documentFrequencies(['apple', 'pear', 'plum'])).toEqual(
      new Map([
        ['apple', 3],
        ['pear', 1],
        ['plum', 0],
      ]),
    );
    writer.removeFile('b.md');
    expect(reader.documentFrequencies(['apple']).get('apple')).toBe(2);
  });
});

describe('finding by vectors', () => {
  it('gives cosine distances, nearest first', () => {
    writer.embeddings.useSpace('s');
    writer.putFile(noteOf('a.md', ['one', 'two', 'three']));
    const half = Float32Array.from([Math.SQRT1_2, Math.SQRT1_2, 0, 0]);
    writer.embeddings.storeVectors(
      new Map([
        [sha256('one'), axis(0)],
        [sha256('two'), axis(1)],
        [sha256('three'), half],
      ]),
    );
    const hits = reader.denseCandidates(axis(0), everything, 10);
    const texts = reader.chunks(hits.map(({ chunkId }) => chunkId)).map((chunk) => chunk.text);
    expect(texts).toEqual(['one', 'three', 'two']);
    expect(hits.map(({ distance }) => Number(distance.toFixed(4)))).toEqual([0, 0.2929, 1]);
  });

  it('narrows before the window is cut: a far note inside the folder beats a near one outside', () => {
    writer.embeddings.useSpace('s');
    for (let i = 0; i < 30; i++) writer.putFile(noteOf(`out/n${i}.md`, [`near ${i}`]));
    writer.putFile(noteOf('in/far.md', ['far']));
    writer.embeddings.storeVectors(new Map(Array.from({ length: 30 }, (_, i) => [sha256(`near ${i}`), axis(0)])));
    writer.embeddings.storeVectors(new Map([[sha256('far'), axis(3)]]));
    const hits = reader.denseCandidates(axis(0), { ...everything, prefix: 'in' }, 5);
    expect(reader.chunks(hits.map(({ chunkId }) => chunkId)).map((chunk) => chunk.path)).toEqual(['in/far.md']);
  });
});

describe('narrowing', () => {
  beforeEach(() => {
    writer.putFile(noteOf('Car/insurance.md', ['policy'], { type: 'contract', tags: ['money/insurance'] }));
    writer.putFile(noteOf('Car2/notes.md', ['policy']));
    writer.putFile(noteOf('Car.md', ['policy']));
    writer.putFile(noteOf('Files/policy.pdf', ['policy'], { kind: 'document' }));
    writer.putFile(noteOf('old.md', ['policy'], { supersededBy: 'new.md' }));
  });

  it.each([
    ['a folder, by whole segments and without regard to case', { prefix: 'car' }, ['Car/insurance.md']],
    ['one note', { prefix: 'car.md' }, ['Car.md']],
    ['a type', { type: 'contract' }, ['Car/insurance.md']],
    ['a tag above the one written', { tag: '#Money' }, ['Car/insurance.md']],
    ['documents', { kind: 'document' as const }, ['Files/policy.pdf']],
    ['everything but some folders', { excludeDirs: ['CAR', 'files'] }, ['Car.md', 'Car2/notes.md']],
  ])('keeps %s', (_name, filter, expected) => {
    expect(lexical('"policy"', filter).sort()).toEqual(expected);
  });

  it('leaves superseded notes out unless asked', () => {
    expect(lexical('"policy"')).not.toContain('old.md');
    expect(lexical('"policy"', { includeSuperseded: true })).toContain('old.md');
  });

  it('knows which prefixes and folders hold something', () => {
    expect(reader.prefixHasFiles('CAR/Insurance.md', null)).toBe(true);
    expect(reader.prefixHasFiles('Ca', null)).toBe(false);
    expect(reader.indexedFolders(10, null)).toEqual(['Car', 'Car2', 'Files']);
  });
});

describe('a file that changes under the reader', () => {
  it('says not_ready while there is none, and works as soon as there is', () => {
    const later = join(folder, 'later.db');
    const early = openIndexReader(later);
    expect(() => early.counts()).toThrowError(expect.objectContaining({ code: 'not_ready' }));
    openIndexWriter(later).close();
    expect(early.counts().notes).toBe(0);
    early.close();
  });

  it('follows to another file at the same path within a second', () => {
    let now = 0;
    const following = openIndexReader(path, { now: () => now });
    writer.putFile(noteOf('a.md', ['apple']));
    expect(following.counts().notes).toBe(1);
    writer.close();
    rmSync(path);
    writer = openIndexWriter(path);
    now = 1001;
    expect(following.counts().notes).toBe(0);
    following.close();
  });

  it('survives the tables being made anew in place', () => {
    writer.putFile(noteOf('a.md', ['apple']));
    expect(lexical('"apple"')).toEqual(['a.md']);
    writer.wipe();
    expect(lexical('"apple"')).toEqual([]);
    writer.putFile(noteOf('b.md', ['apple']));
    expect(lexical('"apple"')).toEqual(['b.md']);
  });

  it('reports damage and says not_ready on every read, so that a rebuild that could not be asked for is asked for again', () => {
    const damaged: unknown[] = [];
    const broken = join(folder, 'broken.db');
    writeFileSync(broken, 'x'.repeat(8192));
    const over = openIndexReader(broken, { onDamaged: (error) => damaged.push(error) });
    for (const met of [1, 2]) {
      expect(() => over.counts()).toThrowError(expect.objectContaining({ code: 'not_ready' }));
      expect(damaged).toHaveLength(met);
    }
    over.close();
  });
});

describe('reading what links', () => {
  const link = (target: string) => ({
    ...{ form: 'wikilink', target, embed: false, line: 1 },
    ...{ heading: null, block: null, alias: null },
  });

  it('gives every note with each of its targets once, page by page', () => {
    writer.putFile(noteOf('a.md', ['a'], { links: [link('b'), link('c'), link('b')] }));
    writer.putFile(noteOf('scan.pdf', ['s'], { kind: 'document' }));
    writer.putFile(noteOf('b.md', ['b'], { state: 'quarantined', reason: 'too large' }));
    writer.putFile(noteOf('c.md', ['c'], { links: [link('a')] }));
    const first = reader.linkingFiles(0, 2);
    const rest = reader.linkingFiles(first.at(-1)?.id ?? 0, 2);
    expect([...first, ...rest]).toMatchObject([
      { path: 'a.md', state: 'indexed', stat: { size: 10, inode: 7 }, links: [{ target: 'b' }, { target: 'c' }] },
      { path: 'b.md', state: 'quarantined', links: [] },
      { path: 'c.md', links: [{ form: 'wikilink', target: 'a' }] },
    ]);
    expect(reader.linkingFiles(rest.at(-1)?.id ?? 0, 2)).toEqual([]);
  });

  it('gives a note’s links in order', () => {
    writer.putFile(noteOf('a.md', ['a'], { links: [link('b'), { ...link('c'), embed: true, heading: 'H' }] }));
    const [row] = reader.noteChanges(null, () => false).rows;
    expect(row && reader.linksOf(row)).toEqual([link('b'), { ...link('c'), embed: true, heading: 'H' }]);
  });

  it('gives no links of a row that is another one by now, even where its id is given anew', () => {
    writer.putFile(noteOf('a.md', ['a'], { links: [link('b')] }));
    const [version] = reader.noteChanges(null, () => false).rows;
    if (version === undefined) throw new Error('a.md has a row');
    expect(reader.linksOf({ ...version, path: 'other.md' })).toBeUndefined();
    expect(reader.linksOf({ ...version, sha256: sha256('other') })).toBeUndefined();
    writer.removeFile('a.md');
    expect(reader.linksOf(version)).toBeUndefined();
  });
});

describe('documents that lack something', () => {
  it('are told by whether they hold no text or not all of theirs was read, and no other is', () => {
    const put = (
      name: string,
      reason: string | null,
      texts: string[] = ['text'],
      kind: 'document' | 'note' = 'document',
    ) => writer.putFile(noteOf(name, texts, { kind, reason, state: texts.length > 0 ? 'indexed' : 'no_text' }));
    put('blank.pdf', null, []);
    put('half.pdf', 'extracted: Some of its pages are scans, and OCR is off. Left out: page 2.');
    put('note.md', 'extracted: of its own frontmatter', ['text'], 'note');
    put('read.pdf', 'ocr');
    put('scan.pdf', 'needs_ocr: tesseract is not installed', ['Page 1 of 1']);
    put('torn.pdf', 'ocr: page 3 could not be recognised');
    put('whole.pdf', null);
    const pathsOf = (what: 'text' | 'parts') => reader.documentsLacking(what, 10).map((document) => document.path);
    expect(pathsOf('text')).toEqual(['blank.pdf', 'scan.pdf']);
    expect(pathsOf('parts')).toEqual(['half.pdf', 'torn.pdf']);
    expect(reader.documentsLacking('parts', 1)).toEqual([
      { path: 'half.pdf', reason: expect.stringMatching(/page 2/) },
    ]);
  });

  it('for good are told whatever else waits or is in quarantine, and counted', () => {
    const put = (name: string, state: 'no_text' | 'quarantined', reason: string, kind: 'document' | 'note') =>
      writer.putFile(noteOf(name, [], { kind, reason, state }));
    for (const n of [0, 1, 2, 3]) put(`a${n}.pdf`, 'no_text', 'pending: it waits for its turn', 'document');
    for (const n of [0, 1, 2, 3]) put(`b${n}.md`, 'quarantined', 'too large', 'note');
    put('c.pdf', 'no_text', 'no_text', 'document');
    put('d.pdf', 'quarantined', 'failed: damaged', 'document');
    put('e.pdf', 'no_text', 'needs_ocr: OCR is off', 'document');
    expect(reader.textlessDocuments(2)).toEqual({
      first: [
        { path: 'c.pdf', reason: 'no_text' },
        { path: 'd.pdf', reason: 'failed: damaged' },
      ],
      total: 3,
    });
    expect(reader.quarantined(1, 'document')).toEqual([{ path: 'd.pdf', reason: 'failed: damaged' }]);
    expect(reader.quarantined(10, 'note').map(({ path }) => path)).toEqual(['b0.md', 'b1.md', 'b2.md', 'b3.md']);
  });
});
