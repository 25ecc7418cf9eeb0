/**
 * Puts a note's new bytes on the disk, in place of the old ones or where nothing is: a temp file beside it, brought to
 * the disk, then one step that puts it there. Danger: what stands there may have changed since it was read; then nothing
 * is done, and said so.
 */
import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { placeExclusively, syncFolder } from './durable.ts';
import { isUnchanged } from './file-version.ts';
import { openFolderMaking, unmakeFolders } from './make-folder.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
import { nameOf, parentOf, type VaultPath } from './path.ts';
import { writeTempFile } from './temp-files.ts';
import type { Vault, VaultStat } from './vault.ts';

export interface PlaceContext {
  readonly vault: Vault;
  /** The uuid that temp files carry. */
  readonly owner: string;
}

/** @returns false when something stands there by now */
export async function createFile({ vault, owner }: PlaceContext, path: VaultPath, content: Buffer): Promise<boolean> {
  const { folder, made } = await openFolderMaking(vault, parentOf(path));
  let placed = false;
  try {
    placed = await withTempFile(folder, owner, content, null, (temp) =>
      placeExclusively(temp, join(folder.path, nameOf(path))),
    );
    if (placed) await syncFolder(folder.path);
    return placed;
  } finally {
    await folder.close();
    if (!placed) await unmakeFolders(vault, made);
  }
}

/** @returns false when it is not the file any more that was read */
export async function replaceFile(
  { vault, owner }: PlaceContext,
  path: VaultPath,
  content: Buffer,
  read: VaultStat,
): Promise<boolean> {
  const folder = await openFolder(vault, parentOf(path));
  const leaf = join(folder.path, nameOf(path));
  try {
    const like = await lstat(leaf);
    const written = await withTempFile(folder, owner, content, like, async (temp) => {
      if (!(await isUnchanged(leaf, read))) return false;
      await rename(temp, leaf);
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
  place: (temp: string) => Promise<boolean>,
): Promise<boolean> {
  const temp = await writeTempFile(folder, owner, content, like);
  let placed = false;
  try {
    placed = await place(temp);
    return placed;
  } finally {
    if (!placed) await rm(temp, { force: true });
  }
}
