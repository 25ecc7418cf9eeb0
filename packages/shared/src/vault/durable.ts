/**
 * The two steps that make a change last and keep it from destroying another: a folder's entries brought to the disk,
 * and a file put at a name only if nothing has that name. Danger: rename(2) replaces silently, so what must not replace
 * goes through here. All paths are `<opened folder>/<name>`, see open-leaf.ts.
 */
import { constants } from 'node:fs';
import { link as hardLink, lstat, open, rename, unlink } from 'node:fs/promises';

/** File systems without hard links, or a kernel that forbids them for this file, say one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);
/** Folders that cannot be opened or flushed (no read permission, Windows, some network mounts). */
const NO_FOLDER_SYNC = new Set(['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP']);

/** Brings a folder's entries to the disk, where the system can: a rename is not durable before that. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0));
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/**
 * Gives a file another name unless something has that name.
 *
 * @param link hard link call; a parameter so that a file system without links can be tried
 * @returns false when something stands at `to`; nothing is changed then
 */
export async function placeExclusively(from: string, to: string, link = hardLink): Promise<boolean> {
  try {
    await link(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') return false;
    if (NO_LINKS.has(code)) return placeOverPlaceholder(from, to);
    throw error;
  }
  try {
    await unlink(from);
  } catch (error) {
    await unlink(to);
    throw error;
  }
  return true;
}

/** Without links: an empty file claims the name, so that of two callers one fails, and is then replaced. */
async function placeOverPlaceholder(from: string, to: string): Promise<boolean> {
  try {
    await (await open(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    await rename(from, to);
  } catch (error) {
    // Only what is still the placeholder.
    if ((await lstat(to)).size === 0) await unlink(to);
    throw error;
  }
  return true;
}
