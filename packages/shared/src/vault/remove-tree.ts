/**
 * Deletes a file, or a folder with all that is in it. Danger: this is the only recursive deletion of the product. It
 * goes down descriptor by descriptor without following links, so a folder that is swapped for a link meanwhile loses
 * the link and nothing behind it (on Linux; see open-leaf.ts for other systems).
 */
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenFolder, openSubfolder } from './open-leaf.ts';

/** An entry that could not be deleted, and so keeps the folders above it. */
export interface KeptEntry {
  /** From the folder in which the deletion began. */
  readonly path: string;
  /** The file system's. */
  readonly error: unknown;
}

/**
 * Deletes as much as it can. Something that is gone already is no error.
 *
 * @returns what could not be deleted
 */
export async function removeTree(folder: OpenFolder, name: string): Promise<KeptEntry[]> {
  const path = join(folder.path, name);
  try {
    if (!(await lstat(path)).isDirectory()) {
      await unlink(path);
      return [];
    }
    const kept = await removeContent(folder, name);
    if (kept.length === 0) await rmdir(path);
    return kept;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : [{ path: name, error }];
  }
}

async function removeContent(folder: OpenFolder, name: string): Promise<KeptEntry[]> {
  const inner = await openSubfolder(folder, name);
  try {
    const kept: KeptEntry[] = [];
    for (const entry of await readdir(inner.path)) kept.push(...(await removeTree(inner, entry)));
    return kept.map(({ path, error }) => ({ path: `${name}/${path}`, error }));
  } finally {
    await inner.close();
  }
}
