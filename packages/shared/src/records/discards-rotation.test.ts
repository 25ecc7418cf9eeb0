import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendAll,
  createDiscardingVault,
  type DiscardingVault,
  discarded,
  listedIds,
} from '../../../../test/support/discarding-vault.ts';
import { silentLogger } from '../log.ts';
import { openVault } from '../vault/vault.ts';
import { DiscardFiles } from './discard-files.ts';
import type { DiscardLog } from './discard-log.ts';
import { DiscardReads } from './discard-reads.ts';

let vault: DiscardingVault;
let log: DiscardLog;
beforeEach(async () => {
  vault = await createDiscardingVault();
  log = await vault.open();
});
afterEach(() => vault.remove());

describe('a log that is full', () => {
  it('is put aside under the next number, and none is deleted', async () => {
    log = await vault.open({ maxBytes: 400 });
    const ids = Array.from({ length: 12 }, (_, i) => `id-${i}`);
    expect(await appendAll(log, ids)).toEqual(ids.map((_, i) => i + 1));
    expect(vault.logs().sort()).toEqual(['.discarded.log', ...[1, 2, 3, 4, 5].map((n) => `.discarded.log.${n}`)]);
    for (const name of vault.logs()) expect(statSync(vault.file(name)).size).toBeLessThanOrEqual(400);
    expect(JSON.parse(readFileSync(vault.file('.discarded.log.1'), 'utf8').split('\n')[0] ?? '')).toMatchObject({
      n: 1,
      id: 'id-0',
    });
    expect(await listedIds(log)).toEqual(ids.toReversed());
    expect((await log.show(1))?.discard.id).toBe('id-0');
    expect(statSync(vault.file()).mode & 0o777).toBe(0o600);
  });

  it('takes an entry that is larger than a file may be into a file of its own', async () => {
    log = await vault.open({ maxBytes: 400 });
    await appendAll(log, ['one']);
    await log.append(discarded('large', { candidate: { title: 'Title large', body: 'x'.repeat(1000) } }));
    await appendAll(log, ['two']);
    expect(await listedIds(log)).toEqual(['two', 'large', 'one']);
    expect(vault.logs()).toHaveLength(3);
  });

  it('is numbered on by who never saw it, and its entries are not taken twice', async () => {
    log = await vault.open({ maxBytes: 400 });
    await appendAll(log, ['a', 'b']);
    renameSync(vault.file(), vault.file('.discarded.log.9'));
    const other = await vault.open({ maxBytes: 400 });
    expect(await appendAll(other, ['b', 'c', 'd', 'e'])).toEqual([2, 3, 4, 5]);
    expect(vault.logs().sort()).toEqual(['.discarded.log', '.discarded.log.10', '.discarded.log.9']);
    // Which `log` has seen none of.
    expect(await appendAll(log, ['d', 'f'])).toEqual([4, 6]);
  });

  it('is read in pages over all files, newest first', async () => {
    log = await vault.open({ maxBytes: 400 });
    const ids = Array.from({ length: 9 }, (_, i) => `id-${i}`);
    await appendAll(log, ids);
    await log.markRestored(2, 'b.md');
    const pages: unknown[] = [];
    for (let beforeN: number | undefined; ; ) {
      const page = await log.list({ limit: 4, beforeN });
      pages.push(page.entries.map(({ n, restored }) => (restored === undefined ? n : `${n} ${restored}`)));
      if (page.next === null) break;
      beforeN = page.next;
    }
    expect(pages).toEqual([[9, 8, 7, 6], [5, 4, 3, '2 b.md'], [1]]);
  });

  it('is read whole though another process puts it aside meanwhile', async () => {
    const other = await vault.open({ maxBytes: 400 });
    log = await vault.open({ maxBytes: 400 });
    await appendAll(log, ['a', 'b']);
    await log.list({ limit: 10 });
    const ids = Array.from({ length: 30 }, (_, i) => `id-${i}`);
    const writing = appendAll(other, ids);
    for (let look = 0; look < 20; look++) {
      // Changed faster than it is read, as here on a busy machine, it may be refused, but never be read in part.
      const entries = await log.list({ limit: 100 }).then(
        (page) => page.entries,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'locked' });
          return [];
        },
      );
      expect(entries.map(({ n }) => n)).toEqual(entries.map((_, i) => entries.length - i));
    }
    await writing;
    expect(await listedIds(log)).toHaveLength(32);
  });

  it('is listed whole though it was put aside right after its files were named', async () => {
    const other = await vault.open({ maxBytes: 400 });
    await appendAll(other, ['a', 'b']);
    class LateFiles extends DiscardFiles {
      #isLate = true;
      override async read(...asked: Parameters<DiscardFiles['read']>) {
        if (this.#isLate) await appendAll(other, ['c', 'd']);
        this.#isLate = false;
        return super.read(...asked);
      }
    }
    const opened = await openVault(vault.root, { docSuffixes: [] });
    const reads = new DiscardReads(opened, new LateFiles(), silentLogger());
    expect((await reads.list({ limit: 10 })).entries.map(({ n }) => n)).toEqual([4, 3, 2, 1]);
  });
});

describe('copies beside the log', () => {
  it('are listed with it, each entry once, and numbered on from', async () => {
    await appendAll(log, ['one', 'two', 'three']);
    renameSync(vault.file(), vault.file('.discarded.restored-20261130T120000Z.log'));
    log = await vault.open();
    expect(await appendAll(log, ['four'])).toEqual([4]);
    writeFileSync(vault.file('.discarded.sync-conflict-20261130-120000-ABCDEFG.log'), readFileSync(vault.file()));
    expect(await listedIds(log)).toEqual(['four', 'three', 'two', 'one']);
  });

  it('may give a number a second time: a page holds both', async () => {
    await appendAll(log, ['one', 'two']);
    writeFileSync(
      vault.file('.discarded copy.log'),
      readFileSync(vault.file(), 'utf8').replaceAll('"id":"', '"id":"copy of '),
    );
    const page = await log.list({ limit: 1 });
    expect(page).toMatchObject({ entries: [{ n: 2 }, { n: 2 }], next: 2 });
    expect((await log.show(2))?.discard.id).toBe('two');
  });
});
