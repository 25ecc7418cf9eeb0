/**
 * Keeps the discard log out of git: one line in the vault's `.gitignore`, also before there is a repository, since one
 * may be made later. Danger: the file is its owner's, so one line is added behind what is there and nothing else is
 * touched; and what cannot be ignored must not keep a discard from being written.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenFolder } from '../vault/open-leaf.ts';

/** Of the root only; also what is rotated, and copies that a sync program makes. */
const LINE = '/.discarded*';

/**
 * Adds the line unless it is there. To be called under the log's lock.
 *
 * @param root the vault's root, opened
 * @throws the file system's error; when it is no plain file, an Error that says so
 */
export async function ensureIgnored(root: Pick<OpenFolder, 'path'>): Promise<void> {
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(root.path, '.gitignore'), flags, 0o666);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('.gitignore is no plain file');
    const text = await handle.readFile('latin1');
    if (text.split(/\r?\n/).includes(LINE)) return;
    await addLine(handle, stats.size, addition(text));
  } finally {
    await handle.close();
  }
}

/** With the line ends that the file has. */
function addition(text: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return `${text === '' || text.endsWith('\n') ? '' : end}${LINE}${end}`;
}

async function addLine(handle: FileHandle, size: number, text: string): Promise<void> {
  try {
    await handle.appendFile(text);
    await handle.sync();
  } catch (error) {
    // Half a line could ignore what nobody meant.
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}
