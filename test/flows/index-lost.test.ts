/**
 * An index that is lost, damaged or emptied while the indexer runs, and a vault that goes away: nothing that stands in
 * the files may be missing afterwards.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { pathsWith, searchableRows } from '../support/index-contents.ts';
import { type IndexedVault, type IndexedVaultOptions, indexVault } from '../support/indexed-vault.ts';

let vault: IndexedVault;
afterEach(() => vault?.remove());

async function indexed(options: IndexedVaultOptions): Promise<IndexedVault> {
  vault = await indexVault(options);
  await vault.settled();
  return vault;
}

const found = (words: string): string[] => pathsWith(words, vault);

function rootPage(file: string, table: string): { from: number; to: number } {
  const db = new Database(file, { readonly: true });
  const row = db
    .prepare<[string], { rootpage: number }>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table);
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const from = ((row?.rootpage ?? 0) - 1) * size;
  return { from, to: from + size };
}

const household = {
  'Home.md': '# Home\n\nThe boiler was serviced by Brandt.\n',
  'Car/Service log.md': '---\ntitle: Service log\ntags: [car]\n---\n\n- 2026-01-02 brakes\n- 2026-05-06 tyres\n',
  'Deep/er/still/note.md': 'A note about zwetschgen.\n',
};

describe('what disappears while the indexer runs', () => {
  it('the vault folder: nothing is forgotten, readiness says so, and all goes on when it is back', async () => {
    await indexed({ files: household, watch: true });
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher');
    renameSync(vault.vaultPath, `${vault.vaultPath}-away`);
    await vault.until(() => vault.reader.indexerStatus()?.watcher.error?.includes('gone') === true, 'the report');
    await vault.queue.add('reconcile', {});
    expect(found('boiler')).toEqual(['Home.md']);
    writeFileSync(join(`${vault.vaultPath}-away`, 'Away.md'), 'Written elsewhere: gooseberry.\n');
    renameSync(`${vault.vaultPath}-away`, vault.vaultPath);
    await vault.until(() => vault.reader.indexerStatus()?.watcher.ok === true, 'the watcher to be back');
    await vault.until(() => found('gooseberry').length === 1, 'what was written meanwhile');
    vault.put('Home.md', 'Watched again: rhubarb.\n');
    await vault.until(() => found('rhubarb').length === 1, 'an edit after the return');
  });

  it('the index file: it is made anew from the files', async () => {
    await indexed({ files: household });
    const before = searchableRows(vault);
    for (const suffix of ['', '-wal', '-shm']) rmSync(vault.config.index.path + suffix, { force: true });
    await vault.until(() => existsSync(vault.config.index.path), 'the index file to be back');
    await vault.until(() => vault.reader.indexerStatus()?.state === 'ready', 'the index to be ready');
    await vault.settled();
    expect(searchableRows(vault)).toEqual(before);
  });
});

describe('an index damaged in use', () => {
  it('is made anew when a job meets the damage, and ends with the same rows', async () => {
    await indexed({ files: household });
    const before = searchableRows(vault);
    const page = rootPage(vault.config.index.path, 'chunk');
    // Behind the back of the open connection, as a failing disk does it.
    const bytes = readFileSync(vault.config.index.path);
    bytes.fill(0x5a, page.from, page.to);
    writeFileSync(vault.config.index.path, bytes);
    await vault.queue.add('reconcile', { rebuild: true });
    await vault.until(() => JSON.stringify(searchableRows(vault)) === JSON.stringify(before), 'the same rows');
  });
});

describe('rebuilding', () => {
  it('empties the index and fills it again with the same rows', async () => {
    await indexed({ files: household });
    const before = searchableRows(vault);
    await vault.queue.add('reconcile', { rebuild: true });
    await vault.settled();
    expect(searchableRows(vault)).toEqual(before);
  });
});
