import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '@vault-mcp/shared/log';
import { IndexedElsewhereError, QueueAwayError } from '@vault-mcp/shared/queue/producer';
import { sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ANYWHERE,
  type IndexedWritingContext,
  indexedWritingContext,
  indexedWritingSuite,
  writingSuite,
} from '../../../../test/support/writing-context.ts';
import { appendToNote } from './append-to-note.ts';
import { deleteEntry } from './delete-entry.ts';
import { announce, announceWritten } from './index-news.ts';
import { search } from './search.ts';
import { writeNote } from './write-note.ts';

describe('a write that waits for the index', () => {
  const vault = indexedWritingSuite({ 'Log.md': '# Log\n' });
  /** By words alone: a vector may find anything. */
  const found = async (query: string) => {
    const { results } = await search(vault.context, { query });
    return results.filter(({ matched }) => matched !== 'dense').map(({ path }) => path);
  };

  it('is found by words as soon as it answers', async () => {
    const call = { path: 'New.md', content: '# New\n\nThe brass thermostat.\n', wait: 'indexed' as const };
    await expect(writeNote(vault.context, call, ANYWHERE)).resolves.toMatchObject({ indexed: 'indexed' });
    expect(await found('brass thermostat')).toEqual(['New.md']);
    const change = { path: 'New.md', content: 'A copper kettle.', wait: 'indexed' as const };
    await expect(appendToNote(vault.context, change, ANYWHERE)).resolves.toMatchObject({ indexed: 'indexed' });
    expect(await found('copper kettle')).toEqual(['New.md']);
  });

  it('is not found any more once its deletion answers', async () => {
    await writeNote(vault.context, { path: 'Short.md', content: 'A zinc bucket.\n', wait: 'indexed' }, ANYWHERE);
    expect(await found('zinc bucket')).toEqual(['Short.md']);
    const answer = await deleteEntry(vault.context, { path: 'Short.md', wait: 'indexed' }, ANYWHERE);
    expect(answer).toMatchObject({ indexed: 'indexed' });
    expect(await found('zinc bucket')).toEqual([]);
  });

  it('answers for many writers of one note, whose versions the index may never see', async () => {
    const calls = Array.from({ length: 20 }, (_, i) => ({ path: 'Log.md', content: `- Entry ${i}.` }));
    const answers = await Promise.all(
      calls.map((call) => appendToNote(vault.context, { ...call, wait: 'indexed' }, ANYWHERE)),
    );
    expect(new Set(answers.map(({ indexed }) => indexed))).toEqual(new Set(['indexed']));
  });

  it('answers for an empty note too, and for one that did not change', async () => {
    const call = { path: 'Empty.md', content: '', overwrite: true, wait: 'indexed' as const };
    await expect(writeNote(vault.context, call, ANYWHERE)).resolves.toMatchObject({
      indexed: 'indexed',
      changed: true,
    });
    await expect(writeNote(vault.context, call, ANYWHERE)).resolves.toMatchObject({
      indexed: 'indexed',
      changed: false,
    });
  });
});

describe('a write outside the index', () => {
  let made: IndexedWritingContext | undefined;
  afterEach(() => made?.remove());

  it('says so at once', async () => {
    made = await indexedWritingContext({}, { INDEX_EXCLUDE_DIRS: 'Archive', INDEX_IGNORE: '*.tmp.md' });
    const { context } = made;
    const write = (path: string) =>
      writeNote(context, { path, content: 'A.\n', wait: 'indexed', timeout: 60 }, ANYWHERE);
    await expect(write('archive/Old.md')).resolves.toMatchObject({ indexed: 'excluded' });
    await expect(write('x.tmp.md')).resolves.toMatchObject({ indexed: 'excluded' });
    await expect(write('Kept.md')).resolves.toMatchObject({ indexed: 'indexed' });
  });
});

describe('beside another process that indexes the vault', () => {
  const vault = indexedWritingSuite({ 'Log.md': '# Log\n' });
  /** No job reaches the indexer from here. */
  const apart = (): typeof vault.context => {
    const queue = { ...vault.context.queue, add: () => Promise.reject(new IndexedElsewhereError()) };
    const log = { ...vault.context.log, warn: () => expect.unreachable('a warning for each write') };
    return { ...vault.context, queue, log };
  };

  it('waiting ends when that one has seen the change', async () => {
    const context = apart();
    const call = { path: 'New.md', content: 'An iron gate.\n', wait: 'indexed' as const, timeout: 60 };
    const answer = writeNote(context, call, ANYWHERE);
    await vault.context.queue.add('reconcile', {});
    const again = setInterval(() => void vault.context.queue.add('reconcile', {}), 50);
    await expect(answer)
      .resolves.toMatchObject({ indexed: 'indexed' })
      .finally(() => clearInterval(again));
  });

  it('nobody is said to have been told', async () => {
    const context = apart();
    const call = { path: 'Log.md', content: 'More.' };
    await expect(appendToNote(context, call, ANYWHERE)).resolves.toMatchObject({ indexed: 'deferred' });
    const waiting = { ...call, wait: 'indexed' as const, timeout: 0 };
    await expect(appendToNote(context, waiting, ANYWHERE)).resolves.toMatchObject({ indexed: 'deferred' });
  });
});

describe('without an indexer', () => {
  const vault = writingSuite({ 'Log.md': '# Log\n' });
  const LOG = parseVaultPath('Log.md');

  it('waiting ends in time, and the write has been done', async () => {
    const call = { path: 'Log.md', content: 'More.', wait: 'indexed' as const, timeout: 0.05 };
    await expect(appendToNote(vault.context, call, ANYWHERE)).resolves.toMatchObject({
      indexed: 'queued',
      changed: true,
    });
    const deletion = { path: 'Log.md', wait: 'indexed' as const, timeout: 0 };
    await expect(deleteEntry(vault.context, deletion, ANYWHERE)).resolves.toMatchObject({ indexed: 'queued' });
  });

  it('waiting ends when nobody waits for the answer any more', async () => {
    const signal = AbortSignal.abort();
    const call = { path: 'Log.md', content: 'More.', wait: 'indexed' as const, timeout: 60 };
    await expect(appendToNote(vault.context, call, { ...ANYWHERE, signal })).resolves.toMatchObject({
      indexed: 'queued',
    });
  });

  it.each([
    ['for those who look closer when the queue takes no jobs', new QueueAwayError('Redis takes no jobs.'), 20],
    ['as a defect when it is none of the queue’s', new TypeError('no such thing'), 50],
  ])('news that cannot be queued is said %s', async (_how, refusal, level) => {
    const lines: object[] = [];
    const log = createLogger({
      name: 'test',
      level: 'debug',
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    });
    const queue = { ...vault.context.queue, add: () => Promise.reject(refusal) };
    const context = { ...vault.context, queue, log };
    const waiting = { wait: 'indexed', timeout: 60, requestId: 'one' } as const;
    await expect(announceWritten(context, LOG, 'etag', waiting)).resolves.toBe('deferred');
    expect(lines).toMatchObject([{ level, files: 1, request_id: 'one' }]);
  });

  it('a failing index fails no write', async () => {
    const reader = new Proxy(vault.context.reader, {
      get: () => () => {
        throw new Error('disk I/O error');
      },
    });
    const context = { ...vault.context, reader };
    const etag = sha256Hex(Buffer.from('# Log\n'));
    await expect(announceWritten(context, LOG, etag, { wait: 'indexed' })).resolves.toBe('queued');
    await expect(deleteEntry(context, { path: 'Log.md' }, ANYWHERE)).resolves.toMatchObject({ linked_from: null });
  });

  it('news of many files is handed over a batch at a time, and costs one look at what is indexed', async () => {
    const { context } = vault;
    let [looks, adding, together] = [0, 0, 0];
    const index = {
      ...context.config.index,
      get ignore() {
        looks++;
        return ['*.tmp.md'];
      },
    };
    const queue = {
      ...context.queue,
      async add() {
        together = Math.max(together, ++adding);
        await nextTurn();
        adding--;
      },
    };
    const paths = (folder: string) => Array.from({ length: 250 }, (_, i) => parseVaultPath(`${folder}/${i}.md`));
    const news = { removed: paths('Old'), written: new Map(paths('New').map((path) => [path, ''])) };
    const told = { ...context, queue, config: { ...context.config, index } };
    await expect(announce(told, news, {})).resolves.toBe('queued');
    expect(looks).toBe(1);
    expect(together).toBe(100);
    await expect(announce(told, { removed: [parseVaultPath('x.tmp.md')] }, {})).resolves.toBe('excluded');
  });
});
