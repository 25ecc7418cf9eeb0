import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { axis, noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { noteVector } from './note-vector.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

let folder: string;
let path: string;
let writer: IndexWriter;
let reader: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  path = join(folder, 'index.db');
  open();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  writer = openIndexWriter(path);
  reader = openIndexReader(path);
  writer.embeddings.useSpace('s');
}

function close(): void {
  reader.close();
  writer.close();
}

/** Another unit vector for each text. */
const vectorOf = (text: string): Float32Array => {
  const bytes = Buffer.from(sha256(text), 'hex').subarray(0, 4);
  const length = Math.hypot(...bytes) || 1;
  return Float32Array.from(bytes, (byte) => (byte || 1) / length);
};
const embed = (...texts: string[]) =>
  writer.embeddings.storeVectors(new Map(texts.map((text) => [sha256(text), vectorOf(text)])));
const meanOf = (...texts: string[]) =>
  noteVector(texts.map((text) => ({ bytes: Buffer.byteLength(text), vector: vectorOf(text) })));

describe('the vector of a note', () => {
  it('is there from when the last of its chunks has one, weighed by their bytes', () => {
    writer.putFile(noteOf('a.md', ['one', 'zwölf und mehr', 'three']));
    embed('one', 'three');
    expect(reader.noteVectorOf('a.md')).toBeNull();
    embed('zwölf und mehr');
    expect(reader.noteVectorOf('a.md')).toEqual(meanOf('one', 'zwölf und mehr', 'three'));
  });

  it('goes with the text it was made of, and is there at once where all chunks of the next have vectors', () => {
    writer.putFile(noteOf('a.md', ['one', 'two']));
    embed('one', 'two');
    writer.putFile(noteOf('b.md', ['one']));
    expect(reader.noteVectorOf('b.md')).toEqual(meanOf('one'));
    writer.putFile(noteOf('a.md', ['one', 'new']));
    expect(reader.noteVectorOf('a.md')).toBeNull();
    writer.putFile(noteOf('a.md', ['one']));
    expect(reader.noteVectorOf('a.md')).toEqual(meanOf('one'));
    writer.removeFile('a.md');
    expect([reader.noteVectorOf('a.md'), reader.noteVectorOf('b.md')]).toEqual([null, meanOf('one')]);
  });

  it('is made of every note that shares the content, and of no document', () => {
    writer.putFile(noteOf('a.md', ['same']));
    writer.putFile(noteOf('b.md', ['same', 'more']));
    writer.putFile(noteOf('c.md', ['same']), { grouped: true });
    writer.putFile(noteOf('d.pdf', ['same'], { kind: 'document' }));
    embed('same');
    expect(['a.md', 'b.md', 'c.md', 'd.pdf'].map((file) => reader.noteVectorOf(file) !== null)).toEqual([
      ...[true, false, true, false],
    ]);
    writer.putFile(noteOf('d.pdf', ['same', 'same'], { kind: 'document' }));
    expect(reader.noteVectorOf('d.pdf')).toBeNull();
  });

  it('is none of a note without text, and none where its chunks cancel out', () => {
    writer.putFile(noteOf('empty.md', []));
    writer.putFile(noteOf('a.md', ['one', 'two']));
    writer.embeddings.storeVectors(
      new Map([
        [sha256('one'), axis(0)],
        [sha256('two'), axis(0).map((value) => -value)],
      ]),
    );
    expect([reader.noteVectorOf('empty.md'), reader.noteVectorOf('a.md')]).toEqual([null, null]);
  });

  it('goes when vectors are another model’s', () => {
    writer.putFile(noteOf('a.md', ['one']));
    embed('one');
    writer.embeddings.useSpace('another');
    expect(reader.noteVectorOf('a.md')).toBeNull();
    embed('one');
    expect(reader.noteVectorOf('a.md')).toEqual(meanOf('one'));
  });
});

/** What can happen to notes and vectors, in any order. */
const texts = fc.array(fc.constantFrom('one', 'two', 'three', 'four', 'five'), { maxLength: 3 });
const file = fc.constantFrom('a.md', 'b.md', 'c.md');
const step = fc.oneof(
  fc.record({ does: fc.constant('put' as const), file, texts, grouped: fc.boolean() }),
  fc.record({ does: fc.constant('remove' as const), file, grouped: fc.boolean() }),
  fc.record({ does: fc.constant('embed' as const), texts }),
  fc.record({ does: fc.constant('space' as const), space: fc.constantFrom('s', 't') }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(one: Step, notes: Map<string, readonly string[]>): void {
  if (one.does === 'put') {
    writer.putFile(noteOf(one.file, one.texts), { grouped: one.grouped });
    notes.set(one.file, one.texts);
  } else if (one.does === 'remove') {
    writer.removeFile(one.file, { grouped: one.grouped });
    notes.delete(one.file);
  } else if (one.does === 'embed') embed(...one.texts);
  else writer.embeddings.useSpace(one.space);
}

describe('the vectors of notes', () => {
  it('are after any changes what they would be if all were made anew', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        writer.wipe();
        writer.embeddings.useSpace('s');
        const notes = new Map<string, readonly string[]>();
        for (const one of steps) take(one, notes);
        writer.flush();
        const waiting = new Set(writer.embeddings.pending(100, Date.now(), new Set()).map(({ textHash }) => textHash));
        for (const name of ['a.md', 'b.md', 'c.md']) {
          const held = notes.get(name) ?? [];
          const isWhole = held.every((text) => !waiting.has(sha256(text)));
          expect(reader.noteVectorOf(name)).toEqual(isWhole ? meanOf(...held) : null);
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
