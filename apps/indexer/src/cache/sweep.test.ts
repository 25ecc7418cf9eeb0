import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@vault-mcp/shared/log';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContentCache, openCache } from './cache.ts';
import type { CacheNeeds } from './sweep.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00Z');

let folder: string;
let path: string;
let cache: ContentCache;
let lines: string[];
const logger = createLogger({ name: 'test', level: 'warn', destination: { write: (line) => lines.push(line) } });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sweep-'));
  path = join(folder, 'cache.db');
  lines = [];
  cache = openCache(path, logger);
});
afterEach(() => {
  cache.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Needs whatever has one of these names. */
function needing(...names: string[]): CacheNeeds {
  return {
    chunks: (note) => names.includes(note),
    vector: (space, textHash) => names.includes(`${space}/${textHash}`),
    extraction: (sha256) => names.includes(sha256),
  };
}

function sweepOn(day: number, needs: CacheNeeds, mostSpareVectors?: number) {
  return cache.sweep(needs, {
    nowMs: START + day * DAY_MS,
    ...(mostSpareVectors === undefined ? {} : { mostSpareVectors }),
  });
}

function vectorsNamed(prefix: string, count: number, dims = 4): Map<string, Float32Array> {
  return new Map(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, new Float32Array(dims).fill(n + 1)]));
}

function fill(): void {
  for (const name of ['kept', 'gone']) {
    cache.putChunks(`${name}.md`, 'sha', 'd', '{}');
    cache.putExtraction(name, 'd', '{}');
    cache.putVectors('space', new Map([[name, Float32Array.from([1])]]));
  }
}

function held(): string[] {
  return ['kept', 'gone'].flatMap((name) => [
    ...(cache.chunks(`${name}.md`, 'sha', 'd') ? [`${name}.md`] : []),
    ...(cache.extraction(name, 'd') ? [name] : []),
    ...cache.vectors('space', [name]).keys(),
  ]);
}

const KEPT = needing('kept.md', 'kept', 'space/kept');

describe('a sweep of the cache', () => {
  it('deletes what has not been needed for thirty days, and not a day sooner', async () => {
    fill();
    expect(await sweepOn(0, KEPT)).toBe(0);
    expect(await sweepOn(29, KEPT)).toBe(0);
    expect(held()).toHaveLength(6);
    expect(await sweepOn(31, KEPT)).toBe(3);
    expect(held()).toEqual(['kept.md', 'kept', 'kept']);
  });

  it('never deletes what is needed, and counts anew from when it was needed last', async () => {
    fill();
    const all = needing('kept.md', 'kept', 'space/kept', 'gone.md', 'gone', 'space/gone');
    await sweepOn(0, KEPT);
    expect(await sweepOn(40, all)).toBe(0);
    expect(await sweepOn(41, KEPT)).toBe(0);
    expect(await sweepOn(60, KEPT)).toBe(0);
    expect(held()).toHaveLength(6);
    expect(await sweepOn(72, KEPT)).toBe(3);
  });

  it('asks once more before it deletes, since the index changes meanwhile', async () => {
    cache.putVectors('space', new Map([['back', Float32Array.from([1])]]));
    await sweepOn(0, needing());
    let asked = 0;
    const needs = { ...needing(), vector: () => ++asked > 1 };
    expect(await sweepOn(31, needs)).toBe(0);
    expect(asked).toBe(2);
    expect(cache.vectors('space', ['back']).size).toBe(1);
  });

  it('is made once a day, over a restart as well, and after the clock was set back', async () => {
    fill();
    await sweepOn(0, KEPT);
    expect(await sweepOn(0.9, KEPT)).toBeUndefined();
    cache.close();
    cache = openCache(path, logger);
    expect(await sweepOn(0.9, KEPT)).toBeUndefined();
    expect(await sweepOn(-400, KEPT)).toBe(0);
    expect(await sweepOn(1, KEPT)).toBe(0);
  });

  it('deletes the oldest of more spare vectors than are allowed after a day, unless as many are needed', async () => {
    cache.putVectors('old', vectorsNamed('o', 250));
    await sweepOn(0, needing(), 300);
    cache.putVectors('new', vectorsNamed('n', 250));
    expect(await sweepOn(1, needing(), 300)).toBe(0);
    expect(await sweepOn(2, needing(), 300)).toBe(200);
    expect(cache.vectors('new', [...vectorsNamed('n', 250).keys()]).size).toBe(250);
    expect(cache.vectors('old', [...vectorsNamed('o', 250).keys()]).size).toBe(50);
    const inUse = { ...needing(), vector: (space: string) => space === 'new' };
    expect(await sweepOn(3, inUse, 10)).toBe(0);
  });

  it('gives the space back to the disk', async () => {
    cache.putVectors('space', vectorsNamed('v', 2_000, 768));
    await sweepOn(0, needing());
    cache.close();
    const before = statSync(path).size;
    cache = openCache(path, logger);
    expect(await sweepOn(31, needing())).toBe(2_000);
    cache.close();
    expect(statSync(path).size).toBeLessThan(before / 20);
  });

  it('lets others work in between', async () => {
    cache.putVectors('space', vectorsNamed('v', 1_000));
    let turns = 0;
    let over = false;
    const others = (async () => {
      for (; !over; turns++) await new Promise((resolve) => setImmediate(resolve));
    })();
    await sweepOn(0, needing());
    over = true;
    await others;
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('ends without a word when the cache is closed meanwhile, and is then made anew', async () => {
    cache.putVectors('space', vectorsNamed('v', 1_000));
    const sweep = sweepOn(0, needing());
    cache.close();
    expect(await sweep).toBeUndefined();
    expect(lines).toEqual([]);
    cache = openCache(path, logger);
    expect(await sweepOn(0, needing())).toBe(0);
  });

  it('turns a cache off that breaks under it, with one line in the log', async () => {
    const other = new Database(path);
    other.exec('DROP TABLE vectors');
    other.close();
    expect(await sweepOn(0, KEPT)).toBeUndefined();
    expect(cache.state().state).toBe('broken');
    expect(await sweepOn(2, KEPT)).toBeUndefined();
    expect(lines).toHaveLength(1);
  });

  it("tells of an index that cannot be asked, which is no fault of the cache's", async () => {
    fill();
    const broken = () => {
      throw new Error('the index is damaged');
    };
    await expect(sweepOn(0, { chunks: broken, vector: broken, extraction: broken })).rejects.toThrow(
      'the index is damaged',
    );
    expect(cache.state().state).toBe('on');
    expect(lines).toEqual([]);
    expect(await sweepOn(0, KEPT)).toBe(0);
  });

  it('is nothing where there is no cache', async () => {
    expect(await openCache(null, logger).sweep(KEPT, { nowMs: START })).toBeUndefined();
  });
});
