/**
 * Whole flows through the indexer on a real folder and a real index: what a person does to files, and what search can
 * see afterwards.
 */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Embedder, EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { createLexicalEmbedder } from '@vault-mcp/shared/embedding/lexical';
import { resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { afterEach, describe, expect, it } from 'vitest';
import { recordComparisons } from '../support/comparisons.ts';
import { pathsWith, searchableRows } from '../support/index-contents.ts';
import { type IndexedVault, type IndexedVaultOptions, indexVault, testConfig } from '../support/indexed-vault.ts';

const isRoot = process.getuid?.() === 0;
let vault: IndexedVault;
afterEach(() => vault?.remove());

async function indexed(options: IndexedVaultOptions): Promise<IndexedVault> {
  vault = await indexVault(options);
  await vault.settled();
  return vault;
}

const found = (words: string): string[] => pathsWith(words, vault);

const household = {
  'Home.md': '# Home\n\nThe boiler was serviced by Brandt.\n',
  'Car/Service log.md': '---\ntitle: Service log\ntags: [car]\n---\n\n- 2026-01-02 brakes\n- 2026-05-06 tyres\n',
  'Deep/er/still/note.md': 'A note about zwetschgen.\n',
};

describe('the first build', () => {
  it('makes every note findable and embeds every chunk', async () => {
    await indexed({ files: household });
    expect(found('boiler')).toEqual(['Home.md']);
    expect(vault.reader.counts()).toMatchObject({ notes: 3, quarantined: 0, pending: 0, failed: 0 });
    expect(vault.reader.counts().embedded).toBe(vault.reader.counts().chunks);
  });

  it('leaves out dotted folders, links, other files, excluded folders and conflict copies', async () => {
    vault = await indexVault({
      files: {
        ...household,
        '.obsidian/boiler.md': 'boiler',
        'Archive/boiler.md': 'boiler',
        'picture.png': 'boiler',
        'Home.sync-conflict-20260101.md': 'boiler',
      },
      env: { INDEX_EXCLUDE_DIRS: 'archive' },
    });
    symlinkSync(join(vault.vaultPath, 'Home.md'), join(vault.vaultPath, 'linked.md'));
    await vault.queue.add('reconcile', {});
    await vault.settled();
    expect(found('boiler')).toEqual(['Home.md']);
  });
});

describe('an index started again', () => {
  it('finds edits, removals and new files that happened while it was off, and reads nothing else', async () => {
    const first = await indexed({ files: household });
    await first.stop();
    first.put('Home.md', 'The heat pump is new.\n');
    first.put('New.md', 'A stairlift.\n');
    rmSync(join(first.vaultPath, 'Car'), { recursive: true });
    const { logger, compared } = recordComparisons();
    await indexed({ base: first.base, logger });
    expect(found('boiler')).toEqual([]);
    expect(found('pump')).toEqual(['Home.md']);
    expect(found('stairlift')).toEqual(['New.md']);
    expect(found('tyres')).toEqual([]);
    expect(vault.reader.counts().notes).toBe(3);
    expect(compared).toEqual([{ seen: 3, differing: 3 }]);
  });

  it('notices an edit that kept size and modification time', async () => {
    const first = await indexed({ files: { 'a.md': 'apple\n' } });
    await first.stop();
    const past = new Date('2026-01-01T00:00:00Z');
    first.put('a.md', 'peach\n');
    utimesSync(join(first.vaultPath, 'a.md'), past, past);
    await indexed({ base: first.base });
    await vault.stop();
    first.put('a.md', 'mango\n');
    utimesSync(join(first.vaultPath, 'a.md'), past, past);
    await indexed({ base: first.base });
    expect(found('mango')).toEqual(['a.md']);
  });

  it.each([
    ['without its index, from the cache', ['index.db']],
    ['without its cache', ['cache.db']],
    ['without either', ['index.db', 'cache.db']],
  ])('%s ends with the same rows', async (_name, removed) => {
    const first = await indexed({ files: household });
    const cold = searchableRows(first);
    await first.stop();
    for (const name of removed) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(first.base, 'data', name + suffix), { force: true });
    }
    await indexed({ base: first.base });
    expect(searchableRows(vault)).toEqual(cold);
  });

  it('replaces a damaged index and a damaged cache, and ends with the same rows', async () => {
    const first = await indexed({ files: household });
    const cold = searchableRows(first);
    await first.stop();
    writeFileSync(join(first.base, 'data', 'index.db'), 'not a database, long enough to be read as one'.repeat(200));
    writeFileSync(join(first.base, 'data', 'cache.db'), 'nor this'.repeat(1000));
    await indexed({ base: first.base });
    expect(searchableRows(vault)).toEqual(cold);
  });

  it('makes only the vectors anew when prefixes change', async () => {
    const first = await indexed({ files: household });
    const chunksBefore = first.reader.counts().chunks;
    await first.stop();
    const config = testConfig(first.base, { EMBED_DOCUMENT_PREFIX: 'doc: ' });
    const embedder = createLexicalEmbedder(resolveSpace(config.embedding));
    await indexed({ base: first.base, embedder, env: { EMBED_DOCUMENT_PREFIX: 'doc: ' } });
    expect(vault.reader.space()).toBe(embedder.space);
    expect(vault.reader.counts()).toMatchObject({ chunks: chunksBefore, embedded: chunksBefore });
  });
});

describe('a vault that is watched', () => {
  it('follows edits, new files, renames, folder renames and removals', async () => {
    await indexed({ files: household, watch: true });
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher');

    vault.put('Home.md', 'The chimney was swept.\n');
    await vault.until(() => found('chimney').length === 1 && found('boiler').length === 0, 'the edit');

    vault.put('Fresh/one.md', 'Quince jelly.\n');
    await vault.until(() => found('quince').length === 1, 'the new note');

    renameSync(join(vault.vaultPath, 'Home.md'), join(vault.vaultPath, 'House.md'));
    await vault.until(() => found('chimney').join() === 'House.md', 'the rename');

    renameSync(join(vault.vaultPath, 'Deep'), join(vault.vaultPath, 'Shallow'));
    await vault.until(() => found('zwetschgen').join() === 'Shallow/er/still/note.md', 'the folder rename');

    rmSync(join(vault.vaultPath, 'Car'), { recursive: true });
    await vault.until(() => found('tyres').length === 0, 'the removal');
  });

  it('follows a save by rename, as editors do it', async () => {
    await indexed({ files: household, watch: true });
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher');
    const target = join(vault.vaultPath, 'Home.md');
    writeFileSync(`${target}.tmp~`, 'Written aside, then renamed: marmalade.\n');
    renameSync(`${target}.tmp~`, target);
    await vault.until(() => found('marmalade').join() === 'Home.md', 'the saved note');
  });

  it('follows by polling where it is told to', async () => {
    await indexed({ files: household, watch: true, env: { WATCH_POLLING: 'true' } });
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher');
    expect(vault.reader.indexerStatus()?.watcher.mode).toBe('polling');
    vault.put('Home.md', 'Noticed by polling: rhubarb.\n');
    await vault.until(() => found('rhubarb').length === 1, 'the polled edit');
  });
});

describe('bad files', () => {
  it('puts a note that is too large in quarantine with the reason, and indexes the rest', async () => {
    await indexed({ files: { ...household, 'huge.md': 'word '.repeat(1000) }, env: { NOTE_MAX_BYTES: '4000' } });
    expect(vault.reader.quarantined(10)).toEqual([{ path: 'huge.md', reason: expect.stringContaining('4000') }]);
    expect(found('boiler')).toEqual(['Home.md']);
    vault.put('huge.md', 'small now: persimmon\n');
    await vault.queue.add('reconcile', {});
    await vault.until(() => found('persimmon').length === 1, 'the note to leave quarantine');
    expect(vault.reader.quarantined(10)).toEqual([]);
  });

  it.skipIf(isRoot)('puts a note that may not be read in quarantine', async () => {
    vault = await indexVault({ files: household });
    chmodSync(join(vault.vaultPath, 'Home.md'), 0o000);
    await vault.queue.add('reconcile', {});
    await vault.settled();
    expect(vault.reader.quarantined(10).map(({ path }) => path)).toEqual(['Home.md']);
  });

  it.each([
    ['a NUL', Buffer.from('before\0after walnut'), 'walnut'],
    ['invalid UTF-8', Buffer.from([0x77, 0xff, 0xfe, 0x20, ...Buffer.from('walnut')]), 'walnut'],
    ['frontmatter that does not parse', Buffer.from('---\ntitle: a: b: [\n---\nwalnut\n'), 'walnut'],
    ['frontmatter nested 50 000 deep', Buffer.from(`---\nx: ${'['.repeat(50_000)}\n---\nwalnut\n`), 'walnut'],
    ['a BOM and CRLF', Buffer.from('\uFEFF# Title\r\n\r\nwalnut\r\n'), 'walnut'],
    ['UTF-16, by its mark', Buffer.from(`\uFEFFwalnut`, 'utf16le'), 'walnut'],
    ['nothing at all, by its name', Buffer.alloc(0), 'odd'],
  ])('indexes a note with %s, and goes on', async (_name, bytes, word) => {
    await indexed({ files: { ...household, 'odd.md': bytes } });
    expect(found('boiler')).toEqual(['Home.md']);
    expect(found(word)).toEqual(['odd.md']);
    expect(vault.reader.fileByPath('odd.md')).toMatchObject({ state: 'indexed' });
  });

  it('takes a folder that is named like a note for a folder', async () => {
    vault = await indexVault({ files: household });
    mkdirSync(join(vault.vaultPath, 'folder.md'));
    await vault.queue.add('sync-path', { path: 'folder.md', source: 'news' });
    await vault.settled();
    expect(vault.reader.fileByPath('folder.md')).toBeUndefined();
  });
});

describe('an embedder that fails', () => {
  const space = resolveSpace(testConfig('/nowhere').embedding);

  function failing(answer: (texts: readonly string[]) => void): Embedder {
    const lexical = createLexicalEmbedder(space);
    return {
      ...lexical,
      embedDocuments: async (texts, signal) => {
        answer(texts);
        return lexical.embedDocuments(texts, signal);
      },
      embedQuery: lexical.embedQuery.bind(lexical),
      health: lexical.health.bind(lexical),
      close: lexical.close.bind(lexical),
    };
  }

  it('never keeps words from being found, and every vector follows once it is back', async () => {
    let dead = true;
    const embedder = failing(() => {
      if (dead) throw new EmbedderError('unreachable', 'nobody answers');
    });
    vault = await indexVault({ files: household, embedder, env: { EMBED_BACKOFF_MAX_SECONDS: '1' } });
    await vault.settled({ vectors: false });
    expect(found('boiler')).toEqual(['Home.md']);
    expect(vault.reader.counts()).toMatchObject({ embedded: 0, failed: 0 });
    expect(vault.reader.vectorsPending(null)).toBeGreaterThan(0);
    dead = false;
    await vault.settled();
    expect(vault.reader.counts().embedded).toBe(vault.reader.counts().chunks);
  });
});
