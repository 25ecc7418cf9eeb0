import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { axis, chunkOf, noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { openIndexReader } from './reader.ts';
import type { SearchFilter } from './rows.ts';
import { openIndexWriter } from './writer.ts';

const everything: SearchFilter = { excludeDirs: [], includeSuperseded: false, readable: null };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  path = join(folder, 'data', 'index.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function found(reader: ReturnType<typeof openIndexReader>, match: string, filter = everything): string[] {
  return reader.chunks(reader.lexicalCandidates(match, filter, 50).map(({ chunkId }) => chunkId)).map((c) => c.path);
}

describe('storing a file', () => {
  it('replaces everything the path had before, full-text rows included', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.md', ['apple pie', 'banana bread'], { tags: ['fruit/red'] }));
    writer.putFile(noteOf('a.md', ['cherry cake']));
    expect(found(reader, '"apple" OR "banana"')).toEqual([]);
    expect(found(reader, '"cherry"')).toEqual(['a.md']);
    expect(reader.counts()).toMatchObject({ notes: 1, chunks: 1, pending: 1 });
    expect(found(reader, '"cherry"', { ...everything, tag: 'fruit' })).toEqual([]);
    reader.close();
    writer.close();
  });

  it('is made to be looked at again by how its reason begins, once until it has been', () => {
    const writer = openIndexWriter(path);
    writer.putFile(noteOf('a.pdf', [], { kind: 'document', state: 'no_text', reason: 'needs_ocr: no tesseract' }));
    writer.putFile(noteOf('b.pdf', [], { kind: 'document', state: 'no_text', reason: 'no_text' }));
    expect([writer.makeStale('needs_ocr: no'), writer.makeStale('needs_ocr: no')]).toEqual([1, 0]);
    expect(['a.pdf', 'b.pdf'].map((file) => writer.storedFile(file)?.digest)).toEqual(['', 'd1']);
    expect([writer.makeStale('no_text', 'd1'), writer.makeStale('no_text')]).toEqual([0, 1]);
    writer.close();
  });

  it('raises the generation for every visible change and for nothing else', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    const start = reader.generation();
    writer.putFile(noteOf('a.md', ['apple']));
    expect(reader.generation()).toBe(start + 1);
    writer.touchFile('a.md', { size: 10, mtimeMs: 2000, ctimeMs: 2000, inode: 8 });
    expect(writer.removeFile('none.md')).toBe(false);
    expect(reader.generation()).toBe(start + 1);
    expect(writer.removeFile('a.md')).toBe(true);
    expect(reader.generation()).toBe(start + 2);
    reader.close();
    writer.close();
  });

  it('is given another reason without a change that a search could see', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.pdf', [], { kind: 'document', state: 'no_text', reason: 'pending' }));
    const [row, generation] = [reader.fileByPath('a.pdf'), reader.generation()];
    writer.explainFile('a.pdf', { reason: 'pending: The worker is away.', digest: 'd2' });
    expect(reader.fileByPath('a.pdf')).toEqual({ ...row, reason: 'pending: The worker is away.' });
    expect(writer.storedFile('a.pdf')).toMatchObject({ digest: 'd2', reason: 'pending: The worker is away.' });
    expect(reader.generation()).toBe(generation);
    reader.close();
    writer.close();
  });

  it('shares one embedding between equal chunks, and forgets it with the last of them', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.md', ['same words']));
    writer.putFile(noteOf('b.md', ['same words']));
    expect(writer.embeddings.pending(10, Date.now(), new Set())).toHaveLength(1);
    expect(reader.counts()).toMatchObject({ chunks: 2, pending: 2 });
    writer.embeddings.storeVectors(new Map([[sha256('same words'), axis(0)]]));
    expect(reader.counts()).toMatchObject({ embedded: 2, pending: 0 });
    writer.removeFile('a.md');
    expect(reader.counts()).toMatchObject({ chunks: 1, embedded: 1 });
    writer.removeFile('b.md');
    expect(reader.counts()).toMatchObject({ chunks: 0, embedded: 0, pending: 0, failed: 0 });
    expect(reader.denseCandidates(axis(0), everything, 10)).toEqual([]);
    reader.close();
    writer.close();
  });
});

describe('files stored in a group', () => {
  it('become visible together, at the latest when flushed', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.md', ['apple']), { grouped: true });
    writer.putFile(noteOf('b.md', ['banana']), { grouped: true });
    expect(reader.counts().notes).toBe(0);
    expect(writer.storedFile('a.md')).toBeDefined();
    writer.flush();
    expect(reader.counts().notes).toBe(2);
    reader.close();
    writer.close();
  });

  it('are among all notes at once for who stores them, without documents', () => {
    const writer = openIndexWriter(path);
    const start = writer.generation();
    writer.putFile(noteOf('a.md', ['apple'], { title: 'Apple', description: 'A fruit.' }), { grouped: true });
    writer.putFile(noteOf('b.pdf', ['pear'], { kind: 'document' }), { grouped: true });
    expect(writer.storedNotes()).toEqual([{ path: 'a.md', title: 'Apple', description: 'A fruit.', state: 'indexed' }]);
    expect(writer.generation()).toBe(start + 2);
    writer.close();
  });

  it('are visible when a file that stands alone is stored after them', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.md', ['apple']), { grouped: true });
    writer.putFile(noteOf('b.md', ['banana']));
    expect(reader.counts().notes).toBe(2);
    reader.close();
    writer.close();
  });

  it('are all given back, with a report, when one of them cannot be stored', () => {
    const lost: unknown[] = [];
    const writer = openIndexWriter(path, { onGroupLost: (error) => lost.push(error) });
    writer.putFile(noteOf('a.md', ['apple']), { grouped: true });
    const impossible = noteOf('b.md', [], { kind: 'picture' as 'note' });
    expect(() => writer.putFile(impossible, { grouped: true })).toThrow();
    expect(lost).toHaveLength(1);
    expect([...writer.storedFiles()]).toEqual([]);
    writer.putFile(noteOf('a.md', ['apple']), { grouped: true });
    writer.close();
    const again = openIndexWriter(path);
    expect([...again.storedFiles()].map((file) => file.path)).toEqual(['a.md']);
    again.close();
  });
});

describe('embedding state', () => {
  it('keeps chunks and drops vectors when the space changes', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    expect(writer.embeddings.useSpace('model-a')).toBe(false);
    writer.putFile(noteOf('a.md', ['apple']));
    writer.embeddings.storeVectors(new Map([[sha256('apple'), axis(1)]]));
    expect(writer.embeddings.useSpace('model-a')).toBe(false);
    expect(reader.vectorsPending(null)).toBe(0);
    expect(writer.embeddings.useSpace('model-b')).toBe(true);
    expect(reader.counts()).toMatchObject({ chunks: 1, pending: 1, embedded: 0 });
    expect(reader.space()).toBe('model-b');
    reader.close();
    writer.close();
  });

  it('gives what was written last first, what is postponed not before its time, and never what is under way', () => {
    const writer = openIndexWriter(path);
    writer.putFile(noteOf('old.md', ['old']));
    writer.putFile(noteOf('new.md', ['new']));
    const keys = (nowMs: number, exclude: string[] = []) =>
      writer.embeddings.pending(10, nowMs, new Set(exclude)).map((entry) => entry.text);
    expect(keys(0)).toEqual(['new', 'old']);
    expect(keys(0, [sha256('new')])).toEqual(['old']);
    writer.embeddings.postpone([sha256('new')], 'embedder away', 5000);
    expect(keys(4999)).toEqual(['old']);
    expect(writer.embeddings.nextTryMs()).toBe(0);
    expect(keys(5000)).toEqual(['old', 'new']);
    writer.embeddings.retryNow();
    expect(keys(0)).toEqual(['new', 'old']);
    writer.close();
  });

  it('counts and lists failed chunks with their reason, and gives them another chance when asked', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.md', ['fine', 'poison']));
    writer.embeddings.fail(new Map([[sha256('poison'), 'the model refuses it']]));
    expect(reader.counts()).toMatchObject({ pending: 1, failed: 1 });
    expect(reader.failedChunks(10)).toEqual([{ path: 'a.md', lineStart: 2, reason: 'the model refuses it' }]);
    expect(writer.embeddings.retryFailed()).toBe(1);
    expect(reader.counts()).toMatchObject({ pending: 2, failed: 0 });
    writer.embeddings.storeVectors(new Map([[sha256('fine'), axis(0)]]));
    writer.embeddings.fail(new Map([[sha256('fine'), 'a late answer']]));
    expect(reader.counts()).toMatchObject({ embedded: 1, failed: 0 });
    reader.close();
    writer.close();
  });

  it('passes over vectors of contents that are gone', () => {
    const writer = openIndexWriter(path);
    expect(writer.embeddings.storeVectors(new Map([['nobody', axis(0)]]))).toBe(0);
    writer.close();
  });

  it('keeps its totals equal to a count of the rows through any order of changes', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    const texts = ['a', 'b', 'c', 'd'];
    for (let step = 0; step < 60; step++) {
      const name = `n${step % 5}.md`;
      const text = texts[(step * 7) % 4] ?? 'a';
      if (step % 6 === 5) writer.removeFile(name);
      else writer.putFile(noteOf(name, [text, texts[step % 4] ?? 'b']));
      if (step % 3 === 0) writer.embeddings.storeVectors(new Map([[sha256(text), axis(step % 4)]]));
      if (step % 7 === 0) writer.embeddings.fail(new Map([[sha256(text), 'no']]));
    }
    const raw = new Database(path, { readonly: true });
    const counted = new Map(
      raw
        .prepare<[], { state: string; n: number }>(
          'SELECT e.state, count(*) AS n FROM chunk c JOIN embedding e ON e.id = c.embedding_id GROUP BY e.state',
        )
        .all()
        .map(({ state, n }) => [state, n]),
    );
    raw.close();
    const { pending, embedded, failed } = reader.counts();
    expect({ pending, embedded, failed }).toEqual({
      pending: counted.get('pending') ?? 0,
      embedded: counted.get('embedded') ?? 0,
      failed: counted.get('failed') ?? 0,
    });
    reader.close();
    writer.close();
  });
});

describe('chunk text', () => {
  it('comes back as it went in, whatever its script', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    const text = '契約書 “quoted” 👩‍👩‍👧 ไทย \u{1F600}';
    writer.putFile(noteOf('x.md', [], { chunks: [chunkOf(text, { terms: '契約 約書' })] }));
    expect(reader.chunksOf('x.md')[0]?.text).toBe(text);
    reader.close();
    writer.close();
  });
});
