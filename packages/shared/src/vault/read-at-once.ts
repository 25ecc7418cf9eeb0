/**
 * Reads a small note without waiting in between: for the thread that indexes, where a promise for each step takes ten times
 * as long as the file. Danger: it holds its thread up, so the thread that answers requests never may; and what is not plain
 * is not explained here but left to `vault.locate` and vault/read, which know what to say of it.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { decodeNote, sha256Hex } from './note/text.ts';
import { FOLDER_FLAGS, hasDescriptorPaths } from './open-leaf.ts';
import { isDotted, nameOf, parentOf, type VaultPath } from './path.ts';
import type { NoteFile } from './read.ts';
import { readFromStart } from './read-sync.ts';
import { type Vault, vaultStat } from './vault.ts';

/** Larger files are read the other way: one of them would hold up everything else that the thread has to do. */
const MAX_AT_ONCE = 1_048_576;

/** @returns null for whatever is not a plain file of plain folders in exactly this spelling, or is too large */
export type ReadAtOnce = (
  path: VaultPath,
  options: { readonly maxBytes: number },
) => Omit<NoteFile, 'bytes' | 'validUtf8'> | null;

/** @param vault the whole one: nobody's right to read is asked for */
export function readerAtOnce(vault: Pick<Vault, 'root' | 'caseSensitive'>): ReadAtOnce {
  // Elsewhere a folder could be swapped for a link under the reading, and the spelling on disk may be another.
  if (!hasDescriptorPaths || !vault.caseSensitive) return () => null;
  return (path, { maxBytes }) => (path === '' || isDotted(path) ? null : readNote(vault.root, path, maxBytes));
}

function readNote(root: string, path: VaultPath, maxBytes: number): ReturnType<ReadAtOnce> {
  let folder: number | undefined;
  let file: number | undefined;
  try {
    folder = openFolder(root, parentOf(path));
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    file = openSync(below(folder, nameOf(path)), flags);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_AT_ONCE) return null;
    const bytes = readFromStart(file, stat.size, maxBytes > 0 ? Math.min(maxBytes, MAX_AT_ONCE) : MAX_AT_ONCE);
    if (bytes === null) return null;
    return { path, text: decodeNote(bytes).text, sha256: sha256Hex(bytes), stat: vaultStat(stat) };
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
    if (folder !== undefined) closeSync(folder);
  }
}

/** Each folder opened below the one before without following a link. @throws the file system's error */
function openFolder(root: string, folder: VaultPath): number {
  let opened = openSync(root, FOLDER_FLAGS);
  for (const name of folder === '' ? [] : folder.split('/')) {
    const parent = opened;
    try {
      opened = openSync(below(parent, name), FOLDER_FLAGS);
    } finally {
      closeSync(parent);
    }
  }
  return opened;
}

function below(folder: number, name: string): string {
  return `/proc/self/fd/${folder}/${name}`;
}
