import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { acquireWriterLock } from '@vault-mcp/shared/index-db/writer-lock';
import { silentLogger } from '@vault-mcp/shared/log';
import { IndexedElsewhereError, QueueAwayError } from '@vault-mcp/shared/queue/producer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type IndexerThread, type IndexerThreadOptions, startIndexerThread } from './indexer-thread.ts';

/**
 * Stands in for the indexer's thread: answers `stats` with its own thread id as depth, dies on a reconcile, refuses
 * when its data folder says so, once as if another process had just taken the lock. Plain JavaScript, since threads run
 * no TypeScript on Node 20.
 */
const STAND_IN = `
  import { existsSync, rmSync } from 'node:fs';
  import { parentPort, threadId, workerData } from 'node:worker_threads';
  if (existsSync(workerData.config.data.path + '/refuse')) {
    parentPort.postMessage({ type: 'refused', message: 'The vault cannot be read.', expected: true, locked: false });
    process.exit(0);
  }
  const beaten = workerData.config.data.path + '/beaten';
  if (existsSync(beaten)) {
    if (!existsSync(beaten + '-for-good')) rmSync(beaten);
    parentPort.postMessage({ type: 'refused', message: 'Written by another.', expected: true, locked: true });
    process.exit(0);
  }
  workerData.jobPort.on('message', ({ id, call, name }) => {
    if (name === 'reconcile') throw new Error('a hostile file');
    workerData.jobPort.postMessage({ id, value: call === 'stats' ? { ok: true, depth: threadId, failed: 0, error: null } : undefined });
  });
  parentPort.on('message', ({ type }) => { if (type === 'stop') process.exit(0); });
  parentPort.postMessage({ type: 'started' });
`;

let data: string;
let thread: IndexerThread | undefined;

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'vault-mcp-thread-'));
  writeFileSync(join(data, 'stand-in.mjs'), STAND_IN);
});
afterEach(async () => {
  await thread?.stop({ timeoutMs: 1_000 });
  thread = undefined;
  rmSync(data, { recursive: true, force: true });
});

async function start(changes: Partial<IndexerThreadOptions> = {}): Promise<IndexerThread> {
  thread = await startIndexerThread({
    config: loadConfig({ mode: 'embedded', env: { VAULT_MCP_CONFIG: '', VAULT_PATH: '/v', DATA_PATH: data } }),
    log: silentLogger(),
    openModelPort: null,
    whenLocked: 'refuse',
    entry: pathToFileURL(join(data, 'stand-in.mjs')),
    firstRestartMs: 20,
    lockRetryMs: 20,
    ...changes,
  });
  return thread;
}

/** Starting a thread takes seconds on a machine that is busy. */
const WAIT = { timeout: 60_000, interval: 20 };

describe('the indexer’s thread', () => {
  it('takes jobs and answers for its queue', async () => {
    const { producer } = await start();
    await producer.add('sync-path', { path: 'a.md', source: 'news' });
    expect(await producer.stats()).toMatchObject({ ok: true });
  });

  it('is started again after a crash, and takes jobs through the same producer', async () => {
    const { producer } = await start();
    const first = (await producer.stats()).depth;
    await expect(producer.add('reconcile', {})).rejects.toThrow(/gone/);
    await vi.waitFor(async () => {
      const now = await producer.stats();
      expect(now.ok && now.depth !== first).toBe(true);
    }, WAIT);
    await producer.add('sync-path', { path: 'a.md', source: 'news' });
  });

  it('refuses jobs at once while it is away', async () => {
    const { producer } = await start({ firstRestartMs: 60_000 });
    await expect(producer.add('reconcile', {})).rejects.toThrow();
    await vi.waitFor(async () => expect((await producer.stats()).error).toMatch(/not running just now/), WAIT);
    const refused = producer.add('sync-path', { path: 'a.md', source: 'news' });
    await expect(refused).rejects.toThrow(QueueAwayError);
    await expect(refused).rejects.toThrow(/not running just now/);
  });

  it('passes on why it refuses to start', async () => {
    writeFileSync(join(data, 'refuse'), '');
    await expect(start()).rejects.toThrow('The vault cannot be read.');
  });

  it('waits for the lock of another process where that is wanted, and takes over', async () => {
    const lock = acquireWriterLock(data);
    const { producer } = await start({ whenLocked: 'wait' });
    expect((await producer.stats()).ok).toBe(false);
    lock.release();
    await vi.waitFor(async () => expect((await producer.stats()).ok).toBe(true), WAIT);
  });

  it('waits as well when another process takes the lock while the thread starts', async () => {
    writeFileSync(join(data, 'beaten'), '');
    const { producer } = await start({ whenLocked: 'wait' });
    expect((await producer.stats()).ok).toBe(false);
    await expect(producer.add('sync-path', { path: 'a.md', source: 'news' })).rejects.toThrow(IndexedElsewhereError);
    await vi.waitFor(async () => expect((await producer.stats()).ok).toBe(true), WAIT);
  });

  it('where it must not wait, outlasts the look of one that does, and refuses when the lock stays taken', async () => {
    writeFileSync(join(data, 'beaten'), '');
    expect((await (await start()).producer.stats()).ok).toBe(true);
    for (const name of ['beaten', 'beaten-for-good']) writeFileSync(join(data, name), '');
    await expect(start()).rejects.toThrow('Written by another.');
  });

  it('stays away once it was stopped', async () => {
    const started = await start({ firstRestartMs: 0 });
    await started.stop({ timeoutMs: 1_000 });
    expect((await started.producer.stats()).ok).toBe(false);
  });
});
