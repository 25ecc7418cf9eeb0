/**
 * What operations that write are given, without any transport: over a real folder with no index but what a test puts
 * there, or over a vault that is being indexed; and the question every refusal has to answer, whether anything changed.
 */
import type { OperationContext } from '@vault-mcp/api/context';
import { openRecords } from '@vault-mcp/api/open-records';
import type { MemoryContext } from '@vault-mcp/api/operations/gate-ports';
import type { WriteRequest } from '@vault-mcp/api/operations/write-context';
import { openGitCommits } from '@vault-mcp/shared/records/git-commits';
import { noHistory } from '@vault-mcp/shared/records/history';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type IndexedVault, indexVault } from './indexed-vault.ts';
import { operationContext, readingContext } from './reading-context.ts';
import { createRecordingQueue, type RecordingQueue } from './recording-queue.ts';
import type { PutFile, VaultFiles } from './vault-files.ts';
import { contentOf } from './writable-vault.ts';

/** What time it is in these tests. */
export const NOW = new Date('2026-07-28T09:30:15.750Z');
/** The same as a note's timestamp. */
export const STAMP = '2026-07-28T09:30:15Z';

/** A request whose writes are not confined. */
export const ANYWHERE: WriteRequest = { agent: 'operator' };

interface Written {
  readonly context: MemoryContext;
  readonly put: PutFile;
  /** Every entry by its path: a file's text, `/` for a folder. */
  everything(): Promise<Record<string, string>>;
  /** Does something that has to be refused with this code, and makes sure that nothing has changed. */
  refused(call: () => Promise<unknown>, code: string, message?: RegExp): Promise<void>;
}

export interface WritingContext extends Written {
  readonly queue: RecordingQueue;
  remove(): Promise<void>;
}

export interface IndexedWritingContext extends Written {
  readonly indexed: IndexedVault;
  remove(): Promise<void>;
}

/** @param env environment variables of the configuration */
export async function writingContext(
  files: VaultFiles = {},
  env: Readonly<Record<string, string>> = {},
): Promise<WritingContext> {
  const reading = await readingContext(files, env);
  const queue = createRecordingQueue();
  const { context, close } = await withWriter({ ...reading.context, queue });
  return {
    ...written(context, reading.put),
    queue,
    async remove() {
      close();
      await queue.close();
      await reading.remove();
    },
  };
}

/** The same over a vault with an indexer that has read everything. */
export async function indexedWritingContext(
  files: VaultFiles = {},
  env: Readonly<Record<string, string>> = {},
  now: () => Date = () => NOW,
): Promise<IndexedWritingContext> {
  const indexed = await indexVault({ files, env });
  await indexed.settled();
  const { context, close } = await withWriter(await operationContext(indexed), now);
  return {
    ...written(context, indexed.put),
    indexed,
    async remove() {
      close();
      await indexed.remove();
    },
  };
}

/** A fresh vault for each test of a file. */
export function writingSuite(
  files: VaultFiles = {},
  env: Readonly<Record<string, string>> = {},
): Written & {
  readonly queue: RecordingQueue;
} {
  let made: WritingContext | undefined;
  beforeEach(async () => {
    made = await writingContext(files, env);
  });
  afterEach(() => made?.remove());
  return forwarding(() => made);
}

/** One indexed vault for all tests of a file. */
export function indexedWritingSuite(files: VaultFiles = {}): Written & { readonly indexed: IndexedVault } {
  let made: IndexedWritingContext | undefined;
  beforeAll(async () => {
    made = await indexedWritingContext(files);
  });
  afterAll(() => made?.remove());
  return forwarding(() => made);
}

/** Asks for the part when it is used, since it is not there yet when a test file is read. */
function forwarding<T extends object>(current: () => T | undefined): T {
  return new Proxy({} as T, {
    get(_target, name) {
      const made = current();
      if (made === undefined) throw new Error('The context exists within a test only.');
      return made[name as keyof T];
    },
  });
}

async function withWriter(
  context: OperationContext,
  now: () => Date = () => NOW,
): Promise<{ context: MemoryContext; close(): void }> {
  const locks = await openPathLocks(context.config.data.path);
  const noteMaxBytes = context.config.vault.note_max_bytes;
  const writerFor = (vault: Vault) => createVaultWriter(vault, { locks, noteMaxBytes });
  const writer = writerFor(context.vault);
  const records = await openRecords(context.config, context.vault, locks, context.log, now);
  const commits = openGitCommits({ root: context.vault.root, mode: 'off', places: {}, logger: context.log });
  const parts = {
    writer,
    writerFor,
    locks,
    history: noHistory,
    filesFolder: null,
    commits,
    chat: null,
    now,
  };
  const close = () => {
    records.close();
    locks.close();
  };
  return { context: { ...context, ...records.parts, ...parts }, close };
}

function written(context: MemoryContext, put: PutFile): Written {
  const everything = async () => {
    const content = Object.entries(await contentOf(context.vault.root));
    return Object.fromEntries(content.map(([path, bytes]) => [path, Buffer.from(bytes, 'latin1').toString('utf8')]));
  };
  return {
    ...{ context, put, everything },
    async refused(call, code, message = /./) {
      const before = await contentOf(context.vault.root);
      await expect(call()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
      expect(await contentOf(context.vault.root)).toEqual(before);
    },
  };
}
