/** Brings what was changed in a folder to the disk. Danger: a rename that is not brought there may be undone by a crash. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

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
