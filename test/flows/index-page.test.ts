/**
 * The generated index page through the whole indexer, on a real folder with a real watcher: it follows what happens to the
 * files and nothing else, and never follows itself.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { createLexicalEmbedder } from '@vault-mcp/shared/embedding/lexical';
import { resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { afterEach, describe, expect, it } from 'vitest';
import { recordComparisons } from '../support/comparisons.ts';
import { pathsWith } from '../support/index-contents.ts';
import { type IndexedVaultOptions, testConfig } from '../support/indexed-vault.ts';
import { HOUSEHOLD, type PagedVault, watchPage } from '../support/watched-page.ts';

let vault: PagedVault;
afterEach(() => vault?.remove());

async function watched(options: IndexedVaultOptions = {}): Promise<void> {
  vault = await watchPage(options);
}

describe('the index page of a vault that is watched', () => {
  it('is there as soon as the vault is indexed, and is no note of it', async () => {
    await watched();
    await vault.untilState('published');
    expect(vault.indexDoc()).toEqual({ ok: true, state: 'published', entries: 4, error: null, detail: null });
    expect(vault.listed()).toEqual(['Home', 'The car', 'Service log', 'note']);
    await vault.queue.add('reconcile', {});
    await vault.settled();
    expect(vault.reader.counts().notes).toBe(4);
    expect(vault.reader.fileByPath('index.md')).toBeUndefined();
    expect(pathsWith('generated', vault)).toEqual([]);
  });

  it('follows edits, new notes, renamed and removed folders, whoever made them', async () => {
    await watched();
    await vault.untilState('published');
    vault.put('Home.md', '# The house\n\nThe chimney was swept. It smoked.\n');
    await vault.until(() => vault.page().includes('- [The house](Home.md) - The chimney was swept.'), 'the edit');
    vault.put('Fresh/one.md', 'Quince jelly.\n');
    await vault.untilListed('The house', 'The car', 'Service log', 'note', 'one');
    renameSync(vault.file('Car'), vault.file('Wagon'));
    await vault.until(
      () => vault.page().includes('## Wagon') && !vault.page().includes('## Car'),
      'the renamed folder',
    );
    await vault.untilListed('The house', 'note', 'one', 'Service log', 'The car');
    rmSync(vault.file('Wagon'), { recursive: true });
    await vault.untilListed('The house', 'note', 'one');
    await vault.until(() => vault.indexDoc()?.entries === 3, 'the count');
  });

  it('is right after whatever happened while nobody watched', async () => {
    await watched();
    await vault.untilState('published');
    await vault.stop();
    renameSync(vault.file('Car'), vault.file('Wagon'));
    rmSync(vault.file('Home.md'));
    writeFileSync(vault.file('New.md'), '# New\n');
    writeFileSync(vault.file(), vault.page().replace('A note about', 'Nothing about'));
    await watched({ base: vault.base, files: {} });
    await vault.untilState('published');
    expect(vault.page()).toMatch(/- \[New\][\s\S]*## Wagon/);
    expect(vault.page()).toContain('A note about zwetschgen');
    expect(vault.page()).not.toMatch(/Home|Car\//);
  });

  it('is not written for a change that it does not show, and follows its own writing by one look', async () => {
    const added: string[] = [];
    const queue = createInMemoryQueue();
    const counting = {
      ...queue,
      add: async (...job: Parameters<typeof queue.add>) => {
        added.push(job[0]);
        await queue.add(...job);
      },
    };
    await watched({ queue: counting });
    await vault.untilState('published');
    const quiet = async () => {
      for (let before = -1; before !== added.length; ) {
        before = added.length;
        // Longer than news of the page wait for one another.
        await sleep(1500);
      }
    };
    await quiet();
    const { ino } = statSync(vault.file());
    vault.put('Home.md', `${HOUSEHOLD['Home.md']}\nAnd now for marmalade.\n`);
    await vault.until(() => pathsWith('marmalade', vault).length === 1, 'the edit');
    await quiet();
    expect(statSync(vault.file()).ino).toBe(ino);
    added.length = 0;
    vault.put('Home.md', '# The house\n');
    await vault.until(() => vault.listed()[0] === 'The house', 'the edit');
    await quiet();
    const once = statSync(vault.file()).ino;
    expect(added.filter((name) => name === 'publish-catalog').length).toBeLessThanOrEqual(3);
    await vault.queue.add('reconcile', {});
    await quiet();
    expect(statSync(vault.file()).ino).toBe(once);
  }, 60_000);

  it('is made again when somebody removes it, and put right when somebody edits it', async () => {
    await watched();
    await vault.untilState('published');
    const right = vault.listed();
    rmSync(vault.file());
    await vault.untilListed(...right);
    writeFileSync(vault.file(), `${vault.page()}\n- [Mine](Mine.md)\n`);
    await vault.until(() => !vault.page().includes('Mine'), 'the edit to be undone');
    renameSync(vault.file(), vault.file('INDEX.md'));
    await sleep(100);
    vault.put('New.md', '# New\n');
    await vault.until(() => readFileSync(vault.file('INDEX.md'), 'utf8').includes('New.md'), 'the page of that name');
    expect(readdirSync(vault.vaultPath).filter((name) => /^index/i.test(name))).toEqual(['INDEX.md']);
  });

  it('is read by no reconcile while it is as it was', async () => {
    const { logger, compared } = recordComparisons();
    await watched({ logger });
    await vault.untilState('published');
    // The first look finds nothing, the next the page just written; from the third on it was seen to be right.
    await vault.looked();
    await vault.looked();
    compared.length = 0;
    await vault.queue.add('reconcile', {});
    await vault.until(() => compared.length === 1, 'the reconcile');
    expect(compared).toEqual([{ seen: 5, differing: 0 }]);
  });

  it('leaves nothing of a writing that was cut short', async () => {
    const left = '.vault-mcp-00000000-0000-4000-8000-000000000000-00000000.tmp';
    await watched({ files: { ...HOUSEHOLD, [left]: 'half a page' } });
    expect(readdirSync(vault.vaultPath)).not.toContain(left);
  });

  it('never lacks notes while the index is built anew', async () => {
    await watched();
    await vault.untilState('published');
    await vault.looked();
    const { ino } = statSync(vault.file());
    await vault.queue.add('reconcile', { rebuild: true });
    await vault.settled();
    await vault.looked();
    expect(statSync(vault.file()).ino).toBe(ino);
    vault.put('New.md', '# New\n');
    await vault.until(() => vault.listed().includes('New'), 'the next note');
  });

  it('lacks none either when a job of a program before this one comes first', async () => {
    await watched();
    await vault.untilState('published');
    await vault.stop();
    const { ino } = statSync(vault.file());
    for (const suffix of ['', '-wal', '-shm']) rmSync(vault.config.index.path + suffix, { force: true });
    const queue = createInMemoryQueue();
    await queue.add('publish-catalog', {});
    await watched({ base: vault.base, files: {}, queue });
    await vault.untilState('published');
    await vault.looked();
    expect(statSync(vault.file()).ino).toBe(ino);
  });

  it('needs no embedder', async () => {
    const lexical = createLexicalEmbedder(resolveSpace(testConfig('/nowhere').embedding));
    const dead = async () => {
      throw new EmbedderError('unreachable', 'nobody answers');
    };
    const embedder = {
      ...lexical,
      embedDocuments: dead,
      embedQuery: dead,
      health: lexical.health.bind(lexical),
      close: lexical.close.bind(lexical),
    };
    await watched({ embedder });
    await vault.untilState('published');
    expect(vault.reader.counts().embedded).toBe(0);
    vault.put('New.md', '# New\n');
    await vault.until(() => vault.listed().includes('New'), 'the new note');
  });

  it('names what the index leaves out, once it is there, and lists what could not be read', async () => {
    await watched({
      files: { ...HOUSEHOLD, 'huge.md': 'word '.repeat(1000) },
      env: { INDEX_EXCLUDE_DIRS: 'archive', NOTE_MAX_BYTES: '4000' },
    });
    await vault.untilState('published');
    expect(vault.page()).toContain('- [huge](huge.md)\n');
    expect(vault.page()).not.toContain('Left out');
    vault.put('Archive/old.md', '# Old\n');
    await vault.until(() => vault.page().includes('- Left out of the index, so not listed: Archive/'), 'the folder');
    expect(vault.listed()).not.toContain('Old');
  });

  it('names a folder that is left out only while it is there, though nothing is in it', async () => {
    await watched({ env: { INDEX_EXCLUDE_DIRS: 'Archive/raw' } });
    await vault.untilState('published');
    await vault.looked();
    mkdirSync(vault.file('Archive/Raw'), { recursive: true });
    await vault.until(() => vault.page().includes('so not listed: Raw/'), 'the folder');
    renameSync(vault.file('Archive/Raw'), vault.file('Archive/Done'));
    await vault.until(() => !vault.page().includes('Archive'), 'the folder to go');
  });

  it('lists no document, no link and no conflict copy', async () => {
    vault = await watchPage({ files: { ...HOUSEHOLD, 'Home.sync-conflict-1.md': '', 'Files/a.pdf': '' } });
    await vault.stop();
    symlinkSync(vault.file('Home.md'), vault.file('linked.md'));
    await watched({ base: vault.base, files: {} });
    await vault.untilState('published');
    expect(vault.listed()).toEqual(['Home', 'The car', 'Service log', 'note']);
  });
});
