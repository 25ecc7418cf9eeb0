/**
 * Deletes a file, or a folder with all that is in it. Danger: this is the only recursive deletion of the product. It
 * goes down descriptor by descriptor without following links, so a folder that is swapped for a link meanwhile loses
 * the link and nothing behind it (on Linux; see open-leaf.ts for other systems).
 */
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpenFolder, openSubfolder } from './open-leaf.ts';

/** @throws the file system's error; what was already deleted stays deleted. Something that is gone is no error. */
export async function removeTree(folder: OpenFolder, name: string): Promise<void> {
  const path = join(folder.path, name);
  try {
    if (!(await lstat(path)).isDirectory()) return await unlink(path);
    const inner = await openSubfolder(folder, name);
    try {
      for (const entry of await readdir(inner.path)) await removeTree(inner, entry);
    } finally {
      await inner.close();
    }
    await rmdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
