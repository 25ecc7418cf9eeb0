import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { unitVectors } from '../../../../test/support/unit-vectors.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import type { SearchFilter } from './rows.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

const DIMS = 192;
const everything: SearchFilter = { excludeDirs: [], includeSuperseded: false, readable: null };
const next = unitVectors(DIMS, 5);
let folder: string;
let path: string;
let now = 0;
let writer: IndexWriter;
/** Goes by signatures always, and keeps too few of them for all to be compared. */
let signed: IndexReader;
/** Goes by signatures always, and compares all that they name. */
let whole: IndexReader;
/** Compares all always. */
let exact: IndexReader;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dense-search-'));
  path = join(folder, 'index.db');
  writer = openIndexWriter(path);
  writer.embeddings.useSpace('s');
  signed = openIndexReader(path, { now: () => now, dense: { comparedAll: 0, keptForEach: 6 } });
  whole = openIndexReader(path, { now: () => now, dense: { comparedAll: 0, keptForEach: 1000 } });
  exact = openIndexReader(path, { now: () => now, dense: { comparedAll: Number.POSITIVE_INFINITY } });
});
afterEach(() => {
  for (const each of [signed, whole, exact, writer]) each.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Stores a note of so many chunks, all of them with vectors. */
function put(name: string, texts: readonly string[], overrides: Parameters<typeof noteOf>[2] = {}): void {
  writer.putFile(noteOf(name, texts, overrides));
  embed(texts);
}

function embed(texts: readonly string[]): void {
  writer.embeddings.storeVectors(new Map(texts.map((text) => [sha256(text), next()])));
}

function fill(notes: number): void {
  for (let n = 0; n < notes; n++) {
    const texts = [`one of ${n}`, `two of ${n}`, `three of ${n}`, `said ${n % 7} times`];
    put(n % 3 === 0 ? `In/n${n}.md` : `Out/n${n}.md`, texts, {
      ...(n % 5 === 0 ? { supersededBy: 'In/n1.md' } : {}),
      ...(n % 4 === 0 ? { type: 'contract' } : {}),
    });
  }
}

/** What both answer; fails where they differ in what is nearest. */
function agreed(filter: Partial<SearchFilter> = {}, vector = next(), limit = 3, by = whole): string[] {
  const [hits, all] = [by, exact].map((reader) => reader.denseCandidates(vector, { ...everything, ...filter }, limit));
  expect(hits).toEqual(all);
  return signed.chunks((hits ?? []).map(({ chunkId }) => chunkId)).map((chunk) => chunk.path);
}

describe('by signatures', () => {
  it('finds what a comparison of all finds, in the same order, when all that they name is compared', () => {
    fill(40);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        fc.constantFrom(undefined, 'In', 'Out'),
        (limit, includeSuperseded, prefix) => {
          const filter = { ...everything, includeSuperseded, ...(prefix === undefined ? {} : { prefix }) };
          const vector = next();
          expect(whole.denseCandidates(vector, filter, limit)).toEqual(exact.denseCandidates(vector, filter, limit));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds nearly all of it when a part is, and never more than was asked for', () => {
    fill(60);
    let found = 0;
    for (let n = 0; n < 50; n++) {
      const vector = next();
      const wanted = exact.denseCandidates(vector, everything, 5).map(({ chunkId }) => chunkId);
      const hits = signed.denseCandidates(vector, everything, 5).map(({ chunkId }) => chunkId);
      expect(hits).toHaveLength(5);
      found += hits.filter((id) => wanted.includes(id)).length / wanted.length;
    }
    expect(found / 50).toBeGreaterThan(0.8);
  });

  it.each([
    ['a folder', { prefix: 'in' }],
    ['one note', { prefix: 'Out/n1.md' }],
    ['a type', { type: 'contract' }],
    ['a kind that nothing is of', { kind: 'document' as const }],
    ['everything but a folder', { excludeDirs: ['In'] }],
    [
      'what may be read',
      {
        readable: [
          { prefix: 'Out', read: true },
          { prefix: '', read: false },
        ],
      },
    ],
    ['superseded notes too', { includeSuperseded: true }],
  ])('narrows before anything is cut: %s', (_name, filter) => {
    fill(30);
    const narrowed = { ...everything, ...filter };
    // Asked for by a vector that stands outside, where nearly all of its neighbours are.
    const hits = signed.denseCandidates(next(), narrowed, 4);
    const all = exact.denseCandidates(next(), narrowed, 1000).map(({ chunkId }) => chunkId);
    expect(hits).toHaveLength(Math.min(4, all.length));
    for (const { chunkId } of hits) expect(all).toContain(chunkId);
  });

  it('compares all vectors of a kind whose signs say little: a few numbers each, and else next to nothing', () => {
    const few = (n: number) => {
      const vector = next().map((value, i) => ((i * 7 + n) % 31 < 2 ? value : value / 1000));
      const norm = Math.hypot(...vector);
      return vector.map((value) => value / norm);
    };
    for (let n = 0; n < 200; n++) writer.putFile(noteOf(`few/n${n}.md`, [`few ${n}`]));
    writer.embeddings.storeVectors(new Map(Array.from({ length: 200 }, (_, n) => [sha256(`few ${n}`), few(n)])));
    for (let n = 0; n < 20; n++) agreed({}, few(n), 2, signed);
  });

  it('gives every chunk that shares a content, by id', () => {
    for (let n = 0; n < 4; n++) put(`n${n}.md`, ['the same']);
    fill(20);
    expect(agreed({ prefix: 'n2.md' })).toEqual(['n2.md']);
    const vector = signed.embeddedChunksOf('n0.md')[0]?.vector as Float32Array;
    expect(agreed({}, vector)).toEqual(['n0.md', 'n1.md', 'n2.md']);
  });
});

describe('what changes after the first search', () => {
  beforeEach(() => {
    fill(20);
    agreed();
  });
  const vectorOf = (note: string) => exact.embeddedChunksOf(note)[0]?.vector as Float32Array;

  it('is found when it is new, and not before it has its vector', () => {
    writer.putFile(noteOf('new.md', ['new']));
    expect(agreed({ prefix: 'new.md' })).toEqual([]);
    embed(['new']);
    expect(agreed({}, vectorOf('new.md'), 1)).toEqual(['new.md']);
  });

  it('is found no more when it is gone', () => {
    const vector = vectorOf('In/n3.md');
    expect(agreed({}, vector, 1)).toEqual(['In/n3.md']);
    writer.removeFile('In/n3.md');
    expect(agreed({}, vector, 1)).not.toEqual(['In/n3.md']);
  });

  it('is found where it went, and by its old place no more', () => {
    const vector = vectorOf('In/n3.md');
    writer.putFile(noteOf('Moved/n3.md', ['one of 3']));
    writer.removeFile('In/n3.md');
    expect(agreed({ prefix: 'Moved' }, vector)).toEqual(['Moved/n3.md']);
    expect(agreed({ prefix: 'In' }, vector, 1)).not.toEqual(['In/n3.md']);
  });

  it('is compared by its new vector when it was embedded again', () => {
    const before = vectorOf('In/n3.md');
    embed(['one of 3']);
    expect(agreed({}, vectorOf('In/n3.md'), 1)).toEqual(['In/n3.md']);
    expect(agreed({}, before, 1)).not.toEqual(['In/n3.md']);
  });

  it('is all of it when the space is another one, and comes again as it is embedded', () => {
    const before = vectorOf('In/n3.md');
    writer.embeddings.useSpace('another');
    expect(agreed({}, before)).toEqual([]);
    embed(['one of 3', 'one of 4']);
    expect(agreed({}, vectorOf('In/n3.md'), 1)).toEqual(['In/n3.md']);
  });

  it('is all of it when the index is made anew in its place', () => {
    writer.wipe();
    writer.embeddings.useSpace('s');
    expect(agreed()).toEqual([]);
    put('after.md', ['after']);
    expect(agreed()).toEqual(['after.md']);
  });

  it('is narrowed and moved in an index made anew as in any, though its ids begin again', () => {
    for (const prefix of ['In', 'Out', 'after.md']) agreed({ prefix, includeSuperseded: true });
    writer.wipe();
    writer.embeddings.useSpace('s');
    put('after.md', ['after', 'more']);
    put('In/after.md', ['of the folder']);
    for (const prefix of ['In', 'Out', 'after.md']) agreed({ prefix, includeSuperseded: true });
    writer.putFile(noteOf('moved.md', ['after']));
    writer.removeFile('after.md');
    expect(agreed({ prefix: 'moved.md' })).toEqual(['moved.md']);
  });

  it('leaves room for what stays when all that was nearest has gone at once', () => {
    for (let n = 0; n < 30; n++) writer.putFile(noteOf(`near/n${n}.md`, [`near ${n}`]));
    const [vector, other] = [next(), next()];
    const beside = (n: number) =>
      vector.map((value, i) => (value + (other[i] as number) * n * 0.002) / Math.hypot(1, n * 0.002));
    writer.embeddings.storeVectors(new Map(Array.from({ length: 30 }, (_, n) => [sha256(`near ${n}`), beside(n)])));
    expect(signed.denseCandidates(vector, everything, 3)).toHaveLength(3);
    for (let n = 0; n < 30; n++) writer.removeFile(`near/n${n}.md`);
    for (let n = 0; n < 2; n++) expect(signed.denseCandidates(vector, everything, 3)).toHaveLength(3);
  });

  it('is all of it when another file takes its place', () => {
    writer.close();
    rmSync(path);
    writer = openIndexWriter(path);
    writer.embeddings.useSpace('s');
    put('other.md', ['other']);
    now += 2000;
    expect(agreed()).toEqual(['other.md']);
  });

  it('is followed through many edits, between any two searches', () => {
    const edit = fc.record({ note: fc.nat({ max: 19 }), texts: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
        for (const { note, texts } of edits) {
          const said = [...new Set(texts)].map((text) => `text ${text}`);
          if (said.length === 0) writer.removeFile(`n${note}.md`);
          else put(`n${note}.md`, said);
        }
        for (const note of edits.map((edited) => `n${edited.note}.md`)) {
          const [first] = exact.embeddedChunksOf(note);
          if (first !== undefined) agreed({ prefix: note }, first.vector);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('a vector that nothing can be compared with', () => {
  const wrong: [string, Float32Array, RegExp][] = [
    ['of other dims', new Float32Array(DIMS + 1).fill(0.1), /193 numbers/],
    ['of zeros', new Float32Array(DIMS), /zeros/],
    ['with NaN in it', next().fill(Number.NaN, 3, 4), /finite/],
    ['with an infinity in it', next().fill(Number.POSITIVE_INFINITY, 3, 4), /finite/],
  ];

  it.each(wrong)('%s is refused as a query', (_name, vector, reason) => {
    fill(3);
    for (const reader of [signed, exact]) {
      expect(() => reader.denseCandidates(vector, everything, 5)).toThrowError(
        expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(reason) }),
      );
    }
  });

  it.each(wrong)('%s is not stored, and its chunk says why', (_name, vector, reason) => {
    fill(3);
    writer.putFile(noteOf('bad.md', ['bad']));
    expect(writer.embeddings.storeVectors(new Map([[sha256('bad'), vector]]))).toBe(0);
    expect(signed.failedChunks(5)).toEqual([{ path: 'bad.md', lineStart: 1, reason: expect.stringMatching(reason) }]);
    expect(agreed({ prefix: 'bad.md' })).toEqual([]);
  });
});
