import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import type { FileRecord } from './file-store.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import type { SearchFilter } from './rows.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

const everything: SearchFilter = { excludeDirs: [], includeSuperseded: false, readable: null };
let folder: string;
let writer: IndexWriter;
let reader: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  writer = openIndexWriter(join(folder, 'index.db'));
  reader = openIndexReader(join(folder, 'index.db'));
  writer.embeddings.useSpace('s');
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A vector at an angle in degrees. */
const at = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(angle), Math.sin(angle), 0, 0);
};

/** A note of one chunk, at an angle. */
function put(path: string, degrees: number, overrides: Partial<FileRecord> = {}): void {
  writer.putFile(noteOf(path, [path], overrides));
  writer.embeddings.storeVectors(new Map([[sha256(path), at(degrees)]]));
}

function nearest(filter: Partial<SearchFilter> = {}, limit = 10): string[] {
  return reader.nearestNotes(at(0), { ...everything, ...filter }, limit).map(({ path }) => path);
}

describe('the notes nearest to a vector', () => {
  it('come nearest first, with cosine distance and the bytes they were made of', () => {
    put('far.md', 90);
    put('near.md', 10);
    put('middle.md', 60);
    const found = reader.nearestNotes(at(0), everything, 2);
    expect(found).toEqual([
      { fileId: expect.any(Number), path: 'near.md', sha256: sha256('near.md'), distance: expect.any(Number) },
      expect.objectContaining({ path: 'middle.md', fileId: reader.fileByPath('middle.md')?.id }),
    ]);
    expect(found.map(({ distance }) => distance)).toEqual([
      expect.closeTo(1 - Math.cos(Math.PI / 18), 5),
      expect.closeTo(0.5, 5),
    ]);
  });

  it('are by path where they are as near', () => {
    for (const path of ['c.md', 'a.md', 'b.md']) put(path, 5);
    expect(nearest()).toEqual(['a.md', 'b.md', 'c.md']);
  });

  it('are narrowed before they are cut, so that nearer ones elsewhere take no place', () => {
    for (let n = 0; n < 5; n++) put(`Old/${n}.md`, n, { supersededBy: 'x' });
    for (let n = 0; n < 5; n++) put(`Out/${n}.md`, n);
    put('In/here.md', 80, { type: 'fact', tags: ['a/b'] });
    expect(nearest({ prefix: 'in' }, 1)).toEqual(['In/here.md']);
    expect(nearest({ excludeDirs: ['out'] }, 1)).toEqual(['In/here.md']);
    expect(nearest({ type: 'fact', tag: 'a' }, 1)).toEqual(['In/here.md']);
    expect(nearest({ includeSuperseded: true }, 1)).toEqual(['Old/0.md']);
    expect(nearest({ kind: 'document' })).toEqual([]);
  });

  it('are never notes that wait for vectors', () => {
    put('a.md', 3);
    writer.putFile(noteOf('b.md', ['waits']));
    expect(nearest()).toEqual(['a.md']);
  });
});

describe('the notes of a folder', () => {
  it('are those that stand in it, by name, whatever the spelling it is asked for by', () => {
    for (const path of ['Été/b.md', 'Été/Sub/c.md', 'Étés/d.md', 'a.md']) writer.putFile(noteOf(path, [path]));
    writer.putFile(noteOf('Été/e.pdf', [], { kind: 'document' }));
    writer.putFile(noteOf('Été/bad.md', [], { state: 'quarantined', reason: 'unreadable' }));
    expect([...reader.noteNamesIn('été').keys()].sort()).toEqual(['b.md', 'bad.md']);
    expect([...reader.noteNamesIn('Été/Sub').keys()]).toEqual(['c.md']);
    expect([...reader.noteNamesIn('').keys()]).toEqual(['a.md']);
    expect(reader.noteNamesIn('Nowhere').size).toBe(0);
  });

  it('come with the bytes and the stat that are known of them', () => {
    const stat = { size: 3, mtimeMs: 5.5, ctimeMs: 6.5, inode: 9 };
    writer.putFile(noteOf('In/a.md', ['text'], { stat }));
    expect(reader.noteNamesIn('In').get('a.md')).toEqual({ sha256: sha256('text'), ...stat });
  });
});

describe('superseded notes', () => {
  it('are all told, by path, with what they say', () => {
    writer.putFile(noteOf('b.md', ['b'], { supersededBy: '[[c]]' }));
    writer.putFile(noteOf('a.md', ['a'], { supersededBy: 'c.md' }));
    writer.putFile(noteOf('c.md', ['c']));
    expect(reader.supersededRows()).toEqual([
      { path: 'a.md', supersededBy: 'c.md' },
      { path: 'b.md', supersededBy: '[[c]]' },
    ]);
  });
});

describe('the chunks of a note that have vectors', () => {
  it('come in order, each with its text, the weight it has in the note, and its vector', () => {
    writer.putFile(noteOf('a.md', ['zwölf', 'two', 'three']));
    writer.embeddings.storeVectors(
      new Map([
        [sha256('three'), at(30)],
        [sha256('zwölf'), at(12)],
      ]),
    );
    expect(reader.embeddedChunksOf('a.md')).toEqual([
      { text: 'zwölf', bytes: 6, vector: at(12) },
      { text: 'three', bytes: 5, vector: at(30) },
    ]);
    expect(reader.embeddedChunksOf('b.md')).toEqual([]);
  });
});
