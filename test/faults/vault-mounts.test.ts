/**
 * Writing on a disk that is full, one that is read-only, and across two disks. Mounting needs root, so without it these
 * are skipped, visibly.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileList } from '@vault-mcp/shared/vault/file-list';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter, type VaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canMount, mount, mountAgainReadOnly, unmount } from '../support/small-disk.ts';
import { createWritableVault, type WritableVault } from '../support/writable-vault.ts';

const p = parseVaultPath;
const mayMount = await canMount();

let on: WritableVault;
let mounted: string | null;
beforeEach(async () => {
  on = await createWritableVault();
  mounted = null;
});
afterEach(async () => {
  if (mounted !== null) unmount(mounted);
  await on.remove();
});

/** Puts a small disk of its own under a folder of the vault, or under all of it. */
async function mountAt(path: string): Promise<VaultWriter> {
  mounted = join(on.root, path);
  mount(mounted);
  return createVaultWriter(await openVault(on.root, { docSuffixes: ['.pdf'] }), { locks: on.locks, noteMaxBytes: 0 });
}

describe.skipIf(!mayMount)('a full disk', () => {
  it('is said, and leaves every note as it was', async () => {
    const writer = await mountAt('');
    const old = 'o'.repeat(100_000);
    await writer.edit(p('a.md'), () => old);
    await fillDisk();
    const large = 'n'.repeat(200_000);
    await on.refused(
      () => writer.edit(p('a.md'), () => large),
      'insufficient_storage',
      /disk that holds the vault is full/,
    );
    await on.refused(() => writer.edit(p('New/Deep/b.md'), () => large), 'insufficient_storage');
    await rm(join(on.root, 'filler'));
    await writer.edit(p('a.md'), () => large);
    expect(await on.read('a.md')).toBe(large);
  });

  it('under the locks is said too, and once there is room again nothing is stuck', async () => {
    const data = join(on.outside, 'small');
    await mkdir(data);
    mounted = data;
    mount(data);
    const locks = await openPathLocks(data);
    const filler = join(data, 'filler');
    const hold = () => locks.hold([{ path: p('a.md') }], async () => 'in');
    await locks.hold([{ path: p('a.md') }], async () => {
      await expect(writeFile(filler, Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      await expect(locks.hold([{ path: p('b.md') }], async () => 'in')).rejects.toMatchObject({
        code: 'insufficient_storage',
      });
    });
    await rm(filler);
    await expect(hold()).resolves.toBe('in');
    locks.close();
  });

  async function fillDisk(): Promise<void> {
    await expect(writeFile(join(on.root, 'filler'), Buffer.alloc(1_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
  }
});

describe.skipIf(!mayMount)('a read-only mount', () => {
  it('refuses every change in plain words, dry runs included', async () => {
    const writer = await mountAt('');
    await on.put({ 'a.md': 'a', 'House/b.md': 'b' });
    mountAgainReadOnly(on.root);
    for (const dryRun of [true, false]) {
      for (const call of [
        () => writer.edit(p('a.md'), () => 'new', { dryRun }),
        () => writer.edit(p('New/a.md'), () => 'new', { dryRun }),
        () => writer.createFolder(p('New'), { dryRun }),
        () => writer.removeFile(p('a.md'), { trash: true, dryRun }),
        () => writer.removeFolder(p('House'), { trash: false, recursive: true, dryRun }),
        () => writer.rename(p('a.md'), p('b.md'), { dryRun }),
      ]) {
        await on.refused(call, 'out_of_scope', /mounted read-only/);
      }
    }
  });
});

describe.skipIf(!mayMount)('a folder that is a disk of its own', () => {
  it('takes and gives files, whole and with their dates; folders cannot cross', async () => {
    await on.put({ 'a.md': 'a', 'plan.svg': 'svg', 'House/x.md': 'x', 'Disk/.keep': '' });
    const writer = await mountAt('Disk');
    await writer.rename(p('a.md'), p('Disk/a.md'));
    await writer.rename(p('plan.svg'), p('Disk/Deep/plan.svg'));
    expect(await writer.removeFile(p('Disk/a.md'), { trash: true })).toMatchObject({ trashed: '.trash/Disk/a.md' });
    await writer.edit(p('Disk/b.md'), () => 'b');
    await on.put({ 'b.md': 'other' });
    await on.refused(() => writer.rename(p('b.md'), p('Disk/b.md')), 'already_exists');
    await on.refused(() => writer.rename(p('House'), p('Disk/House')), 'invalid_path', /another file system/);
    expect(await on.everything()).toMatchObject({
      '.trash/Disk/a.md': 'a',
      'Disk/Deep/plan.svg': 'svg',
      'Disk/b.md': 'b',
      'b.md': 'other',
      'House/x.md': 'x',
    });
    expect(await on.everything()).not.toHaveProperty(['a.md']);
  });

  it('stays where it is, and whoever would delete what is in it hears how that can be done', async () => {
    await on.put({ 'Disk/.keep': '' });
    const writer = await mountAt('Disk');
    await writer.edit(p('Disk/Deep/b.md'), () => 'b');
    const forGood = { trash: false, recursive: true };
    await on.refused(() => writer.removeFolder(p('Disk'), forGood), 'locked', /mounted there.*Nothing was changed/);
    await on.refused(() => writer.rename(p('Disk'), p('Other')), 'locked', /mounted there/);
    const toTrash = { trash: true, recursive: true };
    await on.refused(() => writer.removeFolder(p('Disk/Deep'), toTrash), 'invalid_path', /"permanent"/);
    await writer.removeFolder(p('Disk/Deep'), forGood);
    expect(await on.everything()).not.toHaveProperty(['Disk/Deep']);
  });
});

describe.skipIf(!mayMount)('a vault whose disk was taken away', () => {
  it('is not there, rather than without notes, and back with its disk', async () => {
    mounted = on.root;
    mount(on.root);
    const vault = await openVault(on.root, { docSuffixes: [] });
    const files = createFileList(vault, { wants: () => true, onProblem: () => {} });
    await writeFile(join(on.root, 'a.md'), 'A');
    expect((await files.current()).files.size).toBe(1);
    unmount(on.root);
    mounted = null;
    const gone = { code: 'not_found', message: expect.stringMatching(/vault itself is not there/) };
    await expect(vault.locate(p(''))).rejects.toMatchObject(gone);
    await expect(files.current()).rejects.toMatchObject(gone);
    mounted = on.root;
    mount(on.root);
    await writeFile(join(on.root, 'b.md'), 'B');
    expect([...(await files.current()).files]).toEqual(['b.md']);
  });
});
