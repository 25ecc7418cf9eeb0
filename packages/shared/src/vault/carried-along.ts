/**
 * What a folder holds that no listing shows: hidden entries, symbolic links, odd names. A move takes them along, since
 * the folder goes as a whole; whoever moves it has to hear of them. Danger: nothing here is followed or opened but
 * visible folders.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { openFolder } from './open-leaf.ts';
import { pathFromDisk, type VaultPath } from './path.ts';
import { ownerOfTempName } from './temp-files.ts';
import type { Vault } from './vault.ts';

/** Entries named at most; who hides more than that in a folder knows of it. */
const MAX_ENTRIES = 50;

export interface CarriedEntry {
  /** From the moved folder. */
  readonly path: string;
  readonly what: 'hidden' | 'link' | 'other';
}

/** @returns the first of them, folder by folder; nothing of a folder that cannot be read */
export async function carriedAlong(vault: Vault, root: VaultPath): Promise<CarriedEntry[]> {
  const carried: CarriedEntry[] = [];
  const queue: VaultPath[] = [root];
  for (let at = queue.pop(); at !== undefined && carried.length < MAX_ENTRIES; at = queue.pop()) {
    for (const entry of await entriesOf(vault, at)) {
      const path = pathFromDisk(at, entry.name);
      const what = path === null || entry.name.startsWith('.') ? 'hidden' : whatIs(entry);
      if (what === 'folder') queue.push(path as VaultPath);
      else if (what !== 'file' && ownerOfTempName(entry.name) === null) {
        carried.push({ path: `${at}/${entry.name}`.slice(root.length + 1), what });
      }
    }
  }
  return carried.slice(0, MAX_ENTRIES).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function whatIs(entry: Dirent): 'folder' | 'file' | 'link' | 'other' {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

async function entriesOf(vault: Vault, path: VaultPath): Promise<Dirent[]> {
  try {
    const folder = await openFolder(vault, path);
    return await readdir(folder.path, { withFileTypes: true }).finally(() => folder.close());
  } catch {
    // The survey of the move tells of folders that cannot be read.
    return [];
  }
}
