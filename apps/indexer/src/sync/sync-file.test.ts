/**
 * One file at a time into a real index, with a real folder and a real cache: what a second look at the same file does.
 */
import { rmSync } from 'node:fs';
import { AppError } from '@vault-mcp/shared/errors';
import type { FileRecord } from '@vault-mcp/shared/index-db/file-store';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import { createLogger } from '@vault-mcp/shared/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SyncedVault, syncedVault } from '../../../../test/support/synced-vault.ts';
import type { Describer } from './describe-file.ts';

let vault: SyncedVault;
let { asked, cache, deps, put, reader, sync, syncWith, writer } = {} as SyncedVault;
beforeEach(async () => {
  vault = await syncedVault();
  ({ asked, cache, deps, put, reader, sync, syncWith, writer } = vault);
});
afterEach(() => vault.close());

const row = (path: string) => reader.fileByPath(path);
const digestOf = (path: string) => writer.storedFile(path)?.digest;
const inForce = () => {
  const { digest, current } = deps.describer;
  return [digest, ...current.map(({ documentDigest }) => documentDigest)];
};

describe('a file in quarantine', () => {
  it.each([
    ['a note', 'big.md', { noteMaxBytes: 3000 }],
    ['a document', 'big.pdf', { documentMaxBytes: 3000 }],
  ])('is looked at by every reconcile and leaves once the limit is raised: %s', async (_what, path, raised) => {
    put(path, 'word '.repeat(400));
    expect(await sync.syncPath(path)).toBe('quarantined');
    expect(inForce()).not.toContain(digestOf(path));
    const generation = reader.generation();
    expect(await sync.syncPath(path)).toBe('quarantined');
    expect(reader.generation()).toBe(generation);
    expect(await syncWith(raised).syncPath(path)).toBe(path.endsWith('.md') ? 'stored' : 'waiting');
    expect(reader.quarantined(10)).toEqual([]);
  });

  it('names the limit in force', async () => {
    put('big.md', 'word '.repeat(400));
    await sync.syncPath('big.md');
    await syncWith({ noteMaxBytes: 1500 }).syncPath('big.md');
    expect(row('big.md')?.reason).toContain('1500');
  });

  it('leaves once the disk can be read again', async () => {
    put('a.md', 'Gutters.');
    const failing = {
      ...deps.vault,
      locate: async () => {
        throw new AppError('unreadable', 'The disk does not answer.');
      },
    };
    expect(await syncWith({ vault: failing, readAtOnce: () => null }).syncPath('a.md')).toBe('quarantined');
    expect(inForce()).not.toContain(digestOf('a.md'));
    expect(await sync.syncPath('a.md')).toBe('stored');
  });

  it('stays while neither its text nor the behaviour that cannot cope with it changes, and tells no text', async () => {
    put('a.md', 'My secret gutters.');
    const lines: string[] = [];
    const logger = createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } });
    const failing: Describer = {
      ...deps.describer,
      note: (_path, text) => JSON.parse(text),
    };
    expect(await syncWith({ describer: failing, logger }).syncPath('a.md')).toBe('quarantined');
    expect(digestOf('a.md')).toBe(deps.describer.digest);
    expect(lines.join()).toContain('SyntaxError');
    expect(lines.join()).not.toContain('secret');
  });
});

it.each([
  ['TypeError', TypeError],
  ['RangeError', RangeError],
  ['SyntaxError', SyntaxError],
])('leaves a fault of the index to the caller: %s', async (_name, Fault) => {
  put('a.md', 'Gutters.');
  const stored: FileRecord[] = [];
  let failing = true;
  const broken: IndexWriter = {
    ...writer,
    storedFile: () => undefined,
    putFile: (record) => {
      if (!failing) stored.push(record);
      failing = false;
      if (stored.length === 0) throw new Fault('the index cannot be written');
    },
  };
  await expect(syncWith({ writer: broken }).syncPath('a.md')).rejects.toThrow('the index cannot be written');
  expect(stored).toEqual([]);
});

it('forgets nothing of a vault that goes away between the look and the reading', async () => {
  put('a.md', 'Gutters.');
  await sync.syncPath('a.md');
  const vanishing = {
    ...deps.vault,
    locate: async (...args: Parameters<typeof deps.vault.locate>) => {
      const found = await deps.vault.locate(...args);
      rmSync(deps.vault.root, { recursive: true });
      return found;
    },
  };
  expect(await syncWith({ vault: vanishing, readAtOnce: () => null }).syncPath('a.md')).toBe('vault_gone');
  expect(row('a.md')).toBeDefined();
});

describe('the cache', () => {
  it('saves describing the same bytes again', async () => {
    put('a.md', '---\ntags: [x]\n---\n# A\n\nSee [[b#c|d]] and ![[e]].\n');
    await sync.syncPath('a.md');
    const before = reader.chunksOf('a.md').map(({ text, breadcrumb }) => ({ text, breadcrumb }));
    writer.removeFile('a.md');
    const idle: Describer = {
      ...deps.describer,
      note: () => {
        throw new Error('not needed');
      },
    };
    expect(await syncWith({ describer: idle }).syncPath('a.md')).toBe('stored');
    expect(reader.chunksOf('a.md').map(({ text, breadcrumb }) => ({ text, breadcrumb }))).toEqual(before);
  });

  it.each([
    ['no JSON', '{"title": "my secret'],
    ['of another shape', '{"kind":"note","title":"my secret"}'],
    ['nothing', 'null'],
  ])('decides nothing when its payload is %s', async (_what, payload) => {
    const note = put('a.md', 'Gutters.');
    const pdf = put('a.pdf', 'bytes of a document');
    cache.putChunks('a.md', note, deps.describer.digest, payload);
    cache.putExtraction(pdf, deps.describer.whole.extractionDigest, payload);
    expect(await sync.syncPath('a.md')).toBe('stored');
    expect(row('a.md')).toMatchObject({ state: 'indexed', title: 'a', reason: null });
    expect(await sync.syncPath('a.pdf')).toBe('waiting');
    expect(asked).toEqual(['extract-document']);
  });
});
