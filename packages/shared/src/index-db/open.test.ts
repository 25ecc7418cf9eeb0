import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteOf } from '../../../../test/support/index-records.ts';
import { ForeignFileError } from './open.ts';
import { openIndexReader } from './reader.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { openIndexWriter } from './writer.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-db-'));
  path = join(folder, 'data', 'index.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Overwrites the page a table's tree starts at. */
function damageRootPage(file: string, table: string): void {
  const db = new Database(file, { readonly: true });
  const row = db
    .prepare<[string], { rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table);
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const bytes = readFileSync(file);
  const from = ((row?.rootpage ?? 0) - 1) * pageSize;
  bytes.fill(0x5a, from, from + pageSize);
  writeFileSync(file, bytes);
}

describe('the index database file', () => {
  it('is private: 0600 in a 0700 folder', () => {
    const writer = openIndexWriter(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    writer.close();
  });

  it('is made anew when its schema version is unknown, and says why', () => {
    const first = openIndexWriter(path);
    first.putFile(noteOf('a.md', ['apple']));
    first.close();
    const raw = new Database(path);
    raw.pragma(`user_version = ${SCHEMA_VERSION + 41}`);
    raw.close();
    const second = openIndexWriter(path);
    expect(second.fresh).toContain(`${SCHEMA_VERSION + 41}`);
    expect([...second.storedFiles()]).toEqual([]);
    second.close();
  });

  it('is replaced when it is not a database at all', () => {
    openIndexWriter(path).close();
    writeFileSync(path, 'this was once a database');
    const writer = openIndexWriter(path);
    expect(writer.fresh).toContain('damaged');
    writer.putFile(noteOf('a.md', ['apple']));
    writer.close();
    expect(readFileSync(path).subarray(0, 6).toString()).toBe('SQLite');
  });

  it.each(['meta', 'tally', 'file', 'chunk', 'embedding', 'embedding_vector', 'chunk_terms_data'])(
    'is replaced, and kept aside, when the first page of %s is damaged',
    (table) => {
      const first = openIndexWriter(path);
      first.putFile(noteOf('a.md', ['apple']));
      first.close();
      damageRootPage(path, table);
      const writer = openIndexWriter(path);
      expect(writer.fresh).toContain('damaged');
      writer.putFile(noteOf('b.md', ['banana']));
      expect([...writer.storedFiles()].map((file) => file.path)).toEqual(['b.md']);
      expect(existsSync(`${path}.damaged`)).toBe(true);
      writer.close();
    },
  );

  it("is refused, and left alone, when it is another program's database", () => {
    mkdirSync(dirname(path), { recursive: true });
    const foreign = new Database(path);
    foreign.exec("CREATE TABLE diary (entry TEXT); INSERT INTO diary VALUES ('dear diary')");
    foreign.close();
    expect(() => openIndexWriter(path)).toThrowError(ForeignFileError);
    const again = new Database(path);
    expect(again.prepare('SELECT entry FROM diary').get()).toEqual({ entry: 'dear diary' });
    again.close();
  });

  it('is replaced by wipe when pages in its middle are damaged', () => {
    const writer = openIndexWriter(path);
    for (let i = 0; i < 200; i++) writer.putFile(noteOf(`n${i}.md`, [`note number ${i} ${'x'.repeat(500)}`]));
    writer.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096, bytes.length - 4096);
    writeFileSync(path, bytes);
    const damaged = openIndexWriter(path);
    damaged.wipe();
    damaged.putFile(noteOf('a.md', ['apple']));
    expect([...damaged.storedFiles()].map((file) => file.path)).toEqual(['a.md']);
    damaged.close();
  });

  it('never goes back in its generation, and never gives an id twice', () => {
    const writer = openIndexWriter(path);
    const reader = openIndexReader(path);
    writer.putFile(noteOf('a.md', ['apple']));
    const [before] = reader.chunksOf('a.md');
    const generation = reader.generation();
    writer.removeFile('a.md');
    writer.putFile(noteOf('b.md', ['banana']));
    expect(reader.chunksOf('b.md')[0]?.id).toBeGreaterThan(before?.id ?? Number.POSITIVE_INFINITY);
    writer.wipe();
    expect(reader.generation()).toBeGreaterThan(generation + 2);
    reader.close();
    writer.close();
  });

  it('keeps what was stored over a restart', () => {
    const first = openIndexWriter(path);
    first.putFile(noteOf('a.md', ['apple']));
    first.rememberBuild({ digest: 'd1', builtAt: '2026-01-01T00:00:00.000Z', buildSeconds: 1.5 });
    first.close();
    const second = openIndexWriter(path);
    expect(second.fresh).toBeNull();
    expect(second.lastBuild()).toEqual({ digest: 'd1', builtAt: '2026-01-01T00:00:00.000Z', buildSeconds: 1.5 });
    expect(second.storedFile('a.md')).toMatchObject({ digest: 'd1', stat: { mtimeMs: 1000.5, inode: 7 } });
    second.close();
  });
});
