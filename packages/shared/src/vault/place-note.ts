/**
 * Puts a note's new bytes on the disk, in place of the old ones or where nothing is: a temp file beside it, brought to
 * the disk, then one step that puts it there. Danger: what stands there may have changed since it was read; then nothing
 * is done, and said so.
 */
import { lstatSync, renameSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { placeExclusively } from './durable.ts';
import { isVersion } from './file-version.ts';
import { type LockOwnership, refuseWhenClosed } from './lock.ts';
import { openFolderMaking, unmakeFolders } from './make-folder.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
import { nameOf, parentOf, type VaultPath } from './path.ts';
import { syncFolder } from './sync-folder.ts';
import { writeTempFile } from './temp-files.ts';
import type { Vault, VaultStat } from './vault.ts';

export interface PlaceContext {
  readonly vault: Vault;
  readonly locks: LockOwnership;
}

/** @returns false when something stands there by now */
export async function createFile({ vault, locks }: PlaceContext, path: VaultPath, content: Buffer): Promise<boolean> {
  const { folder, made } = await openFolderMaking(vault, parentOf(path));
  let placed = false;
  try {
    placed = await withTempFile(folder, locks.owner, content, null, (temp) => {
      refuseWhenClosed(locks);
      return placeExclusively(temp, join(folder.path, nameOf(path)));
    });
    if (placed) await syncFolder(folder.path);
    return placed;
  } finally {
    await folder.close();
    if (!placed) await unmakeFolders(vault, made);
  }
}

/** @returns false when it is not the file any more that was read */
export async function replaceFile(
  { vault, locks }: PlaceContext,
  path: VaultPath,
  content: Buffer,
  read: VaultStat,
): Promise<boolean> {
  const folder = await openFolder(vault, parentOf(path));
  const leaf = join(folder.path, nameOf(path));
  try {
    const like = await lstat(leaf);
    const written = await withTempFile(folder, locks.owner, content, like, (temp) => {
      // In one turn with the look: what another program saves in between would be replaced.
      refuseWhenClosed(locks);
      if (!isVersion(lstatSync(leaf), read)) return false;
      renameSync(temp, leaf);
      return true;
    });
    if (written) await syncFolder(folder.path);
    return written;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  } finally {
    await folder.close();
  }
}

async function withTempFile(
  folder: OpenFolder,
  owner: string,
  content: Buffer,
  like: Parameters<typeof writeTempFile>[3],
  place: (temp: string) => boolean,
): Promise<boolean> {
  const temp = await writeTempFile(folder, owner, content, like);
  let placed = false;
  try {
    placed = place(temp);
    return placed;
  } finally {
    if (!placed) await rm(temp, { force: true });
  }
}
