import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { axis } from '../../../test/support/index-records.ts';
import { type SyncedVault, syncedVault } from '../../../test/support/synced-vault.ts';
import { createCacheSweep } from './sweep-cache.ts';

const DAY_MS = 86_400_000;

let vault: SyncedVault;
let day: number;
let errors: unknown[];
const info = vi.fn();

beforeEach(async () => {
  vault = await syncedVault();
  vault.writer.embeddings.useSpace('space');
  day = 0;
  errors = [];
  info.mockClear();
});
afterEach(() => vault.close());

function sweeper() {
  return createCacheSweep({
    cache: vault.cache,
    writer: vault.writer,
    space: 'space',
    logger: { info },
    onError: (error) => errors.push(error),
    now: () => 1_000 * DAY_MS + day * DAY_MS,
  });
}

/** Gives everything that waits its vector, in the cache too. @returns the content keys */
function embed(): string[] {
  const keys = vault.writer.embeddings.pending(100, Number.MAX_SAFE_INTEGER, new Set()).map(({ textHash }) => textHash);
  const vectors = new Map(keys.map((key) => [key, axis(0)]));
  vault.writer.embeddings.storeVectors(vectors);
  for (const space of ['space', 'other']) vault.cache.putVectors(space, vectors);
  return keys;
}

const inCache = (keys: readonly string[], space = 'space') => [...vault.cache.vectors(space, keys).keys()];

it('what the index needs stays in the cache, and what edits, removals and other models left goes after thirty days', async () => {
  const { digest } = vault.deps.describer;
  const kept = vault.put('Kept.md', 'The first text.');
  const gone = vault.put('Gone.md', 'Another one.');
  for (const path of ['Kept.md', 'Gone.md']) await vault.sync.syncPath(path);
  const before = embed();
  expect(before).toHaveLength(2);
  const edited = vault.put('Kept.md', 'The text as it is now.');
  await vault.sync.syncPath('Kept.md');
  vault.writer.removeFile('Gone.md');
  const now = embed();
  vault.cache.putExtraction(edited, 'd', '{}');
  vault.cache.putExtraction(kept, 'd', '{}');

  const sweep = sweeper();
  await sweep();
  expect(inCache(before)).toHaveLength(2);
  expect(info).not.toHaveBeenCalled();
  day = 31;
  await sweep();
  expect(inCache(before)).toEqual([]);
  expect(inCache(now)).toEqual(now);
  expect(inCache(now, 'other')).toEqual([]);
  expect(vault.cache.chunks('Kept.md', edited, digest)).toBeDefined();
  expect(vault.cache.chunks('Gone.md', gone, digest)).toBeUndefined();
  expect([vault.cache.extraction(edited, 'd'), vault.cache.extraction(kept, 'd')]).toEqual(['{}', undefined]);
  expect(info.mock.calls).toEqual([[{ entries: 7 }, expect.any(String)]]);
  expect(errors).toEqual([]);
});

it('what waits for its vector, or was refused one, is needed too', async () => {
  vault.put('Waiting.md', 'A text that waits.');
  await vault.sync.syncPath('Waiting.md');
  const [key = ''] = vault.writer.embeddings.pending(1, Number.MAX_SAFE_INTEGER, new Set()).map((one) => one.textHash);
  vault.cache.putVectors('space', new Map([[key, axis(0)]]));
  vault.writer.embeddings.fail(new Map([[key, 'refused']]));
  const sweep = sweeper();
  await sweep();
  day = 31;
  await sweep();
  expect(inCache([key])).toEqual([key]);
});

it('one is made at a time, and an index that cannot be asked is told of', async () => {
  vault.cache.putChunks('Note.md', 'sha', 'd', '{}');
  vault.writer.close();
  const sweep = sweeper();
  expect(sweep()).toBe(sweep());
  await sweep();
  expect(errors).toHaveLength(1);
  expect(vault.cache.state().state).toBe('on');
  await sweep();
  expect(errors).toHaveLength(2);
});
