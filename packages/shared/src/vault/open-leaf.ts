/**
 * Opens files for reading and folders of the vault; the only way the product does. On Linux the way from the root is
 * walked descriptor by descriptor, each component opened without following links below the one before
 * (`/proc/self/fd/N/name`), so a parent that is swapped for a link between the look and the open leads nowhere.
 * Elsewhere, and without /proc, a path is opened after it was looked at: there a local user who can write in the vault
 * could swap a folder for a link in between.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { shown, type VaultPath } from './path.ts';
import { type Located, type Vault, type VaultStat, vaultStat } from './vault.ts';

/** Linux's O_PATH: names a folder without needing permission to list it. Node exports no constant for it. */
const O_PATH = 0o10000000;

/** Names a folder, to reach its entries through its descriptor; fails on a link. */
export const FOLDER_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Whether an open folder's entries can be reached through its descriptor. */
export const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd');

export interface OpenLeaf {
  /** The caller closes it. */
  readonly handle: FileHandle;
  /** Of the file that is open, not of what stood at the path before. */
  readonly stat: VaultStat;
}

/**
 * Opens a file for reading.
 *
 * @param file what vault.locate found
 * @throws AppError `not_found` when it is gone by now, `invalid_path` when it became something that is no plain file,
 * `unreadable` without permission
 */
export async function openLeaf(vault: Vault, file: Located): Promise<OpenLeaf> {
  const segments = file.path.split('/');
  const name = segments.pop() ?? '';
  const parent = await openDescent(vault, segments, file.path);
  let handle: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe that took the file's place would wait for its other end.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    handle = await open(join(parent.path, name), flags);
    const stats = await handle.stat();
    if (!stats.isFile()) throw notPlain(file.path);
    return { handle, stat: vaultStat(stats) };
  } catch (error) {
    await handle?.close();
    throw openError(error, file.path);
  } finally {
    await parent.close();
  }
}

export interface OpenFolder {
  /** A path under which the folder's entries can be reached until it is closed. */
  readonly path: string;
  close(): Promise<void>;
}

/** Opens a folder, to list it or to reach its entries. @throws like openLeaf */
export function openFolder(vault: Vault, path: VaultPath): Promise<OpenFolder> {
  return openDescent(vault, path === '' ? [] : path.split('/'), path);
}

/** Opens a folder in an open one without following a link. @throws the file system's error */
export async function openSubfolder(folder: OpenFolder, name: string): Promise<OpenFolder> {
  const path = join(folder.path, name);
  if (!hasDescriptorPaths) {
    if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    return { path, close: async () => {} };
  }
  const handle = await open(path, FOLDER_FLAGS);
  return { path: descriptorPath(handle), close: () => handle.close() };
}

async function openDescent(vault: Vault, segments: readonly string[], path: VaultPath): Promise<OpenFolder> {
  if (!hasDescriptorPaths) return { path: join(vault.root, ...segments), close: async () => {} };
  let handle: FileHandle | undefined;
  try {
    handle = await open(vault.root, FOLDER_FLAGS);
    for (const segment of segments) {
      const parent = handle;
      handle = undefined;
      try {
        handle = await open(`${descriptorPath(parent)}/${segment}`, FOLDER_FLAGS);
      } finally {
        await parent.close();
      }
    }
    const folder = handle;
    return { path: descriptorPath(folder), close: () => folder.close() };
  } catch (error) {
    await handle?.close();
    throw openError(error, path);
  }
}

function descriptorPath(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

function notPlain(path: VaultPath): AppError {
  return new AppError('invalid_path', `"${shown(path)}" is not a plain file, so it is not opened.`);
}

/** What a caller may be told of the file system's refusal to open a path; any other error as it is. */
export function openError(error: unknown, path: VaultPath): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return new AppError('not_found', `"${shown(path)}" is not there any more.`, { cause: error });
    case 'ELOOP':
    case 'ENOTDIR':
    case 'ENXIO':
      return new AppError('invalid_path', `"${shown(path)}" is not a plain file in plain folders.`, { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new AppError(
        'unreadable',
        `The server has no permission to read "${shown(path)}": grant it read access.`,
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}
