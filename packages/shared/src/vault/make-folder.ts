/**
 * Opens a folder of the vault, making it and its parents when they are not there. Danger: a failed write must leave no
 * empty folders behind, so what was made is told and can be taken back.
 */
import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenFolder, openFolder, openSubfolder } from './open-leaf.ts';
import { nameOf, parentOf, type VaultPath } from './path.ts';
import { syncFolder } from './sync-folder.ts';
import type { Vault } from './vault.ts';

export interface MadeFolder {
  /** The caller closes it. */
  readonly folder: OpenFolder;
  /** Folders that were not there before, outermost first. */
  readonly made: readonly VaultPath[];
}

/**
 * @param path in the spelling on disk as far as it is there
 * @throws the file system's error; nothing that was made is left then
 */
export async function openFolderMaking(vault: Vault, path: VaultPath): Promise<MadeFolder> {
  const made: VaultPath[] = [];
  let folder = await openFolder(vault, '' as VaultPath);
  let at = '';
  try {
    for (const name of path === '' ? [] : path.split('/')) {
      at = at === '' ? name : `${at}/${name}`;
      const parent = folder;
      const next = await openOrMake(parent, name);
      if (next.made) made.push(at as VaultPath);
      folder = next.folder;
      await parent.close();
    }
    return { folder, made };
  } catch (error) {
    await folder.close();
    await unmakeFolders(vault, made);
    throw error;
  }
}

async function openOrMake(parent: OpenFolder, name: string): Promise<{ folder: OpenFolder; made: boolean }> {
  try {
    return { folder: await openSubfolder(parent, name), made: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = await makeIn(parent, name);
  return { folder: await openSubfolder(parent, name), made };
}

/** @returns false when someone else made it meanwhile */
async function makeIn(parent: OpenFolder, name: string): Promise<boolean> {
  try {
    await mkdir(join(parent.path, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(parent.path);
  return true;
}

/** Takes back folders that are still empty, innermost first. Never throws: it runs when something else has failed. */
export async function unmakeFolders(vault: Vault, made: readonly VaultPath[]): Promise<void> {
  for (const path of made.toReversed()) {
    try {
      const parent = await openFolder(vault, parentOf(path));
      await rmdir(join(parent.path, nameOf(path))).finally(() => parent.close());
    } catch {
      // Someone put something in meanwhile, or took it away: either way it is not ours any more.
      return;
    }
  }
}
