/**
 * Puts a file's new bytes on the disk, in place of the old ones or where nothing is: a temp file, brought to the disk,
 * then one step that puts it there. Danger: what stands there may have changed since it was read; then nothing is done,
 * and said so.
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
import { type FileContent, type Likeness, writeTempFile } from './temp-files.ts';
import type { Vault, VaultStat } from './vault.ts';

export interface PlaceContext {
  readonly vault: Vault;
  readonly locks: LockOwnership;
}

/** Bytes that are on the disk under a temporary name. */
export interface TempFile {
  readonly path: string;
  /** Called when it was not put anywhere. */
  discard(): Promise<void>;
}

/**
 * Brings the bytes to the disk under a temporary name, in this folder or in one of its file system.
 *
 * @param like what it is to have in common with the file it replaces; null for a new one
 */
export type TempSource = (folder: OpenFolder, like: Likeness | null) => Promise<TempFile>;

/** The source of bytes that are in memory. */
export function tempOf(content: FileContent, { locks }: PlaceContext): TempSource {
  return async (folder, like) => {
    const path = await writeTempFile(folder, locks.owner, content, like);
    return { path, discard: () => rm(path, { force: true }) };
  };
}

/** @returns false when something stands there by now */
export async function createFile(
  { vault, locks }: PlaceContext,
  path: VaultPath,
  source: TempSource,
): Promise<boolean> {
  const { folder, made } = await openFolderMaking(vault, parentOf(path));
  let placed = false;
  try {
    placed = await withTemp(await source(folder, null), (temp) => {
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
  source: TempSource,
  read: VaultStat,
): Promise<boolean> {
  const folder = await openFolder(vault, parentOf(path));
  const leaf = join(folder.path, nameOf(path));
  try {
    const written = await withTemp(await source(folder, await lstat(leaf)), (temp) => {
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

async function withTemp(temp: TempFile, place: (path: string) => boolean): Promise<boolean> {
  let placed = false;
  try {
    placed = place(temp.path);
    return placed;
  } finally {
    if (!placed) await temp.discard();
  }
}
