/**
 * Vaults whose root is not given an index page, or not now: a person has one, nobody is to write there, or nobody can.
 */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pathsWith } from '../support/index-contents.ts';
import type { IndexedVaultOptions } from '../support/indexed-vault.ts';
import { canMount, mount, mountAgainReadOnly, resize, unmount } from '../support/small-disk.ts';
import { HOUSEHOLD, type PagedVault, watchPage } from '../support/watched-page.ts';

let vault: PagedVault;
afterEach(() => vault?.remove());

async function watched(options: IndexedVaultOptions = {}): Promise<void> {
  vault = await watchPage(options);
}

describe('an index.md of a person’s own', () => {
  const own = '# My map\n\nSee [[Home]] for the pantry.\n';

  it('stays as it is and is a note like any other, until it is handed over', async () => {
    await watched({ files: { ...HOUSEHOLD, 'index.md': own } });
    await vault.untilState('foreign');
    expect(vault.indexDoc()).toMatchObject({
      ok: true,
      detail: expect.stringContaining('generated_by: vault-mcp'),
    });
    expect(vault.page()).toBe(own);
    expect(pathsWith('pantry', vault)).toEqual(['index.md']);
    expect(vault.reader.counts().notes).toBe(5);
    vault.put('index.md', `---\ngenerated_by: vault-mcp\n---\n${own}`);
    await vault.untilState('published');
    expect(vault.page()).not.toContain('pantry');
    await vault.until(() => pathsWith('pantry', vault).length === 0, 'its row to go');
    expect(vault.reader.counts().notes).toBe(4);
    vault.put('index.md', own);
    await vault.untilState('foreign');
    rmSync(vault.file());
    await vault.untilState('published');
  });

  it('may be written in capitals', async () => {
    await watched({ files: { ...HOUSEHOLD, 'INDEX.md': own } });
    await vault.untilState('foreign');
    expect(readdirSync(vault.vaultPath).toSorted()).toEqual(['Car', 'Deep', 'Home.md', 'INDEX.md']);
    expect(pathsWith('pantry', vault)).toEqual(['INDEX.md']);
  });
});

describe('no index page', () => {
  it.each([
    ['that is switched off', { env: { CATALOG_ENABLED: 'false' } }, /CATALOG_ENABLED/],
    ['of a vault that is only read', { env: { READ_ONLY: 'true' } }, /READ_ONLY/],
    ['is kept by a command that ends', { watch: false }, /keeps running/],
  ] as const)('%s is made, which is well', async (_what, options, detail) => {
    vault = await watchPage({ files: HOUSEHOLD, watch: true, ...options });
    await vault.settled();
    await vault.looked();
    expect(vault.indexDoc()).toEqual({
      ok: true,
      state: 'disabled',
      entries: 0,
      error: null,
      detail: expect.stringMatching(detail),
    });
    expect(readdirSync(vault.vaultPath).toSorted()).toEqual(['Car', 'Deep', 'Home.md']);
  });

  it('that was generated before is found by a search, even when it is switched off', async () => {
    await watched();
    await vault.untilState('published');
    await vault.stop();
    await watched({ base: vault.base, files: {}, env: { CATALOG_ENABLED: 'false' } });
    await vault.settled();
    expect(vault.reader.fileByPath('index.md')).toBeUndefined();
    expect(vault.reader.counts().notes).toBe(4);
  });
});

describe.skipIf(!(await canMount()))('a disk that takes no page', () => {
  let base: string;
  const onDisk = async () => {
    base = mkdtempSync(join(tmpdir(), 'vault-mcp-'));
    mkdirSync(join(base, 'vault'));
    mount(join(base, 'vault'));
  };
  afterEach(async () => {
    await vault.stop();
    unmount(join(base, 'vault'));
  });

  it('is told of while it is full, and has the page once there is room', async () => {
    await onDisk();
    await watched({ base });
    await vault.untilState('published');
    expect(() => writeFileSync(vault.file('filler'), Buffer.alloc(1_000_000))).toThrow(/ENOSPC/);
    renameSync(vault.file('Home.md'), vault.file('House.md'));
    await vault.untilState('failed');
    expect(vault.indexDoc()).toMatchObject({ ok: false, error: expect.stringMatching(/disk .* is full/) });
    expect(vault.page()).toContain('Home.md');
    resize(join(base, 'vault'), '2m');
    await vault.untilState('published');
    expect(vault.page()).toContain('House.md');
  }, 60_000);

  it('is well where nobody can write', async () => {
    await onDisk();
    vault = await watchPage({ base, files: HOUSEHOLD });
    await vault.stop();
    mountAgainReadOnly(join(base, 'vault'));
    await watched({ base, files: {} });
    await vault.untilState('disabled');
    expect(vault.indexDoc()).toMatchObject({ ok: true, detail: expect.stringContaining('read-only') });
  });
});
