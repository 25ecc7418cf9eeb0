import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, silentLogger } from '@vault-mcp/shared/log';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCache } from './cache.ts';

let folder: string;
let path: string;
let lines: string[];
const logger = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cache-'));
  path = join(folder, 'data', 'cache.db');
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the cache', () => {
  it('is private: 0600 in a 0700 folder', () => {
    const cache = openCache(path, silentLogger());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    cache.close();
  });

  it('answers only for exactly these bytes and this behaviour, over a restart', () => {
    const first = openCache(path, silentLogger());
    first.putChunks('a.md', 'sha', 'd1', '{"chunks":[]}');
    first.putExtraction('sha', 'd1', '{"text":"x"}');
    first.putVectors('space', new Map([['hash', Float32Array.from([1, 2, 3])]]));
    first.close();
    const cache = openCache(path, silentLogger());
    expect(cache.chunks('a.md', 'sha', 'd1')).toBe('{"chunks":[]}');
    expect(cache.chunks('a.md', 'other', 'd1')).toBeUndefined();
    expect(cache.chunks('a.md', 'sha', 'd2')).toBeUndefined();
    expect(cache.chunks('b.md', 'sha', 'd1')).toBeUndefined();
    expect(cache.extraction('sha', 'd1')).toBe('{"text":"x"}');
    expect(cache.extraction('sha', 'd2')).toBeUndefined();
    expect(cache.vectors('space', ['hash', 'none'])).toEqual(new Map([['hash', Float32Array.from([1, 2, 3])]]));
    expect(cache.vectors('other', ['hash']).size).toBe(0);
    cache.close();
  });

  it('keeps vectors and extractions of the version that laid out chunks otherwise', () => {
    const first = openCache(path, silentLogger());
    first.putChunks('a.md', 'sha', 'd1', '{}');
    first.putExtraction('sha', 'd1', '{"text":"x"}');
    first.putVectors('space', new Map([['hash', Float32Array.from([1, 2, 3])]]));
    first.close();
    const older = new Database(path);
    older.exec('DROP TABLE chunks');
    older.exec(
      'CREATE TABLE chunks (path TEXT NOT NULL PRIMARY KEY, sha256 TEXT NOT NULL, digest TEXT NOT NULL, payload TEXT NOT NULL) WITHOUT ROWID',
    );
    older.pragma('user_version = 1');
    older.close();
    const cache = openCache(path, logger);
    expect(cache.extraction('sha', 'd1')).toBe('{"text":"x"}');
    expect(cache.vectors('space', ['hash'])).toEqual(new Map([['hash', Float32Array.from([1, 2, 3])]]));
    cache.putChunks('a.md', 'sha', 'd2', '{}');
    cache.flush();
    expect(cache.chunks('a.md', 'sha', 'd2')).toBe('{}');
    expect(lines).toEqual([]);
    cache.close();
    const again = openCache(path, logger);
    expect(again.chunks('a.md', 'sha', 'd2')).toBe('{}');
    again.close();
  });

  it('is off, and says so, when there is none', () => {
    const cache = openCache(null, logger);
    cache.putChunks('a.md', 'sha', 'd1', '{}');
    expect(cache.chunks('a.md', 'sha', 'd1')).toBeUndefined();
    expect(cache.state()).toEqual({ ok: true, state: 'off', error: null });
    expect(lines).toEqual([]);
  });

  it('is replaced when damaged, with one line in the log', () => {
    const first = openCache(path, silentLogger());
    first.putChunks('a.md', 'sha', 'd1', '{}');
    first.close();
    writeFileSync(path, 'scribble'.repeat(2000));
    const cache = openCache(path, logger);
    expect(cache.chunks('a.md', 'sha', 'd1')).toBeUndefined();
    cache.putChunks('a.md', 'sha', 'd1', '{"again":1}');
    expect(cache.chunks('a.md', 'sha', 'd1')).toBe('{"again":1}');
    expect(cache.state().state).toBe('on');
    expect(lines).toHaveLength(1);
    cache.close();
  });

  it("is off, and leaves the file as it is, where the path names another program's database", () => {
    mkdirSync(join(folder, 'data'));
    const foreign = new Database(path);
    foreign.exec("CREATE TABLE chunks (of TEXT); INSERT INTO chunks VALUES ('chocolate')");
    foreign.close();
    const before = readFileSync(path);
    const cache = openCache(path, logger);
    expect(cache.state()).toMatchObject({ state: 'broken', error: expect.stringContaining('INDEX_CACHE_PATH') });
    cache.close();
    expect(readFileSync(path)).toEqual(before);
    expect(lines).toHaveLength(1);
  });

  it('turns itself off when it breaks while in use, with one line in the log', () => {
    const first = openCache(path, silentLogger());
    for (let i = 0; i < 500; i++) first.putChunks(`n${i}.md`, 'sha', 'd1', 'x'.repeat(1000));
    first.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, Math.floor(bytes.length * 0.75));
    writeFileSync(path, bytes);
    const cache = openCache(path, logger);
    for (let i = 0; i < 500; i++) cache.chunks(`n${i}.md`, 'sha', 'd1');
    for (let i = 0; i < 500; i++) cache.putChunks(`n${i}.md`, 'sha', 'd2', 'y');
    expect(cache.state()).toMatchObject({ ok: false, state: 'broken', error: expect.any(String) });
    expect(lines).toHaveLength(1);
    cache.close();
  });

  it('stays off when its place cannot be used, and nothing throws', () => {
    writeFileSync(join(folder, 'data'), 'a file where the folder should be');
    const cache = openCache(path, logger);
    expect(cache.chunks('a.md', 'sha', 'd1')).toBeUndefined();
    expect(cache.state().state).toBe('broken');
    expect(lines).toHaveLength(1);
    cache.close();
  });

  it.skipIf(process.getuid?.() === 0)('goes off at the first write when it may not be written', () => {
    const first = openCache(path, silentLogger());
    first.close();
    chmodSync(path, 0o400);
    const cache = openCache(path, logger);
    cache.putChunks('a.md', 'sha', 'd1', '{"chunks":[]}');
    cache.flush();
    expect(cache.state().state).toBe('broken');
    expect(lines).toHaveLength(1);
    cache.close();
  });
});
