import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { axis, noteOf, sha256 } from '../../../../test/support/index-records.ts';
import { createAccess, type ReadRules, readableBy } from '../vault/access.ts';
import { openReadable } from './open.ts';
import { countReadableChunks } from './readable-reads.ts';
import { type IndexReader, openIndexReader } from './reader.ts';
import type { SearchFilter } from './rows.ts';
import { type IndexWriter, openIndexWriter } from './writer.ts';

const PATHS = ['a.md', 'A/b.md', 'A/b/c.md', 'A/B.md/d.md', 'Ä/e.md', 'Ä/a/f.md', 'a0/g.md', 'index.md', 'A b/h.md'];

let folder: string;
let writer: IndexWriter;
let reader: IndexReader;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  writer = openIndexWriter(join(folder, 'index.db'));
  reader = openIndexReader(join(folder, 'index.db'));
  writer.embeddings.useSpace('s');
  for (const path of PATHS) writer.putFile(noteOf(path, [`word of ${path}`, 'shared word']));
  writer.embeddings.storeVectors(new Map(PATHS.slice(0, 4).map((path) => [sha256(`word of ${path}`), axis(0)])));
  writer.embeddings.postpone([sha256('word of Ä/e.md'), sha256('word of a0/g.md')], 'no answer', 5000);
});
afterAll(() => {
  reader.close();
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

const filterOf = (readable: ReadRules | null): SearchFilter => ({
  excludeDirs: [],
  includeSuperseded: true,
  readable,
});
const lexical = (readable: ReadRules | null, limit = 50) =>
  reader.lexicalCandidates('"word"', filterOf(readable), limit).map(({ chunkId }) => chunkId);
const pathsOf = (ids: readonly number[]) => [...new Set(reader.chunks(ids).map(({ path }) => path))].sort();

const segment = fc.constantFrom('a', 'A', 'b', 'Ä', 'B.md', 'a0', 'index.md', 'b.md');
const prefix = fc.array(segment, { maxLength: 3 }).map((segments) => segments.join('/'));
const rules = fc
  .uniqueArray(fc.record({ prefix, read: fc.boolean() }), {
    selector: (rule) => rule.prefix.toLowerCase(),
    maxLength: 6,
  })
  .map((some) => createAccess(some).readRules);

describe('what still waits for its vector', () => {
  it('is counted by going through what waits, and not through every chunk', () => {
    const db = openReadable(join(folder, 'index.db'));
    const prepare = vi.spyOn(db, 'prepare');
    const readRules = createAccess([{ prefix: 'A', read: true }]).readRules ?? [];
    expect(countReadableChunks(db, readRules, 'pending')).toBe(3);
    const plan = prepare.mock.calls
      .map(([sql]) => sql)
      .flatMap((sql) => {
        const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
        return steps.all(...Array.from(sql.matchAll(/\?/g), () => 'a')).map(({ detail }) => detail);
      });
    db.close();
    expect(plan[0]).toMatch(/^(SCAN|SEARCH) e USING (COVERING )?INDEX embedding_waiting/);
    expect(plan.filter((step) => /^SCAN (?!e )/.test(step))).toEqual([]);
  });
});

describe('what may be read of the index', () => {
  it('is found by words and by meaning, counted and named as the rules have it, and nothing else', () => {
    fc.assert(
      fc.property(rules, (readable) => {
        const expected = PATHS.filter(readableBy(readable)).sort();
        expect(pathsOf(lexical(readable))).toEqual(expected);
        const near = reader.denseCandidates(axis(0), filterOf(readable), 50);
        expect(pathsOf(near.map(({ chunkId }) => chunkId))).toEqual(expected.filter((path) => PATHS.indexOf(path) < 4));
        for (const under of ['A', 'ä', 'a0/g.md', 'nowhere']) {
          const inside = expected.some((path) => `${path.toLowerCase()}/`.startsWith(`${under.toLowerCase()}/`));
          expect(reader.prefixHasFiles(under, readable)).toBe(inside);
        }
        const folders = expected
          .filter((path) => path.includes('/'))
          .map((path) => path.slice(0, path.lastIndexOf('/')));
        expect(reader.indexedFolders(50, readable).sort()).toEqual([...new Set(folders)].sort());
        const postponed = expected.filter((path) => path === 'Ä/e.md' || path === 'a0/g.md').length;
        expect(reader.vectorsPostponed(readable, 4999)).toBe(postponed);
        expect(reader.vectorsPostponed(readable, 5000)).toBe(0);
        if (readable === null) return;
        expect(reader.readableChunks(readable)).toBe(expected.length * 2);
        const embedded = expected.filter((path) => PATHS.indexOf(path) < 4).length;
        expect(reader.vectorsPending(readable)).toBe(expected.length * 2 - embedded);
        expect(reader.termHolders('"shared"', readable, 50)).toBe(expected.length);
        expect(reader.termHolders('"shared"', readable, 2)).toBe(Math.min(2, expected.length));
      }),
      { numRuns: 60 },
    );
  });

  it('is narrowed before the window is cut', () => {
    const { readRules } = createAccess([{ prefix: 'Ä/a', read: true }]);
    expect(pathsOf(lexical(readRules, 1))).toEqual(['Ä/a/f.md']);
    const none = createAccess([]).readRules;
    expect(lexical(none)).toEqual([]);
  });

  it('may be stated by hundreds of rules', () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ prefix: `x${n}/y`, read: n % 2 === 0 }));
    const { readRules } = createAccess([...many.slice(1), { prefix: 'Ä', read: true }]);
    expect(pathsOf(lexical(readRules))).toEqual(['Ä/a/f.md', 'Ä/e.md']);
  });
});
