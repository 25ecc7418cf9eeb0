/**
 * The vault on disk: opens its root once and finds what stands at a path. Danger: a symbolic link anywhere on the way
 * would lead out of the vault, so every component is looked at before it is followed. What is found here is a
 * statement about a moment; opening goes through open-leaf.ts, which cannot be raced on Linux.
 */
import { constants } from 'node:fs';
import { readdir, realpath, stat, access as tryAccess } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { type Access, EVERYTHING, maySee } from './access.ts';
import { findComponent, missingComponent, nothingAt, statOf } from './lookup.ts';
import { type FileKind, fileKindOf, shown, type VaultPath } from './path.ts';
import { observePresence, type VaultPresence } from './presence.ts';

/** What the file system says about a file; times in milliseconds since 1970, with fractions. */
export interface VaultStat {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly inode: number;
}

export interface Located {
  /** The path in the spelling on disk. */
  readonly path: VaultPath;
  readonly absolute: string;
  readonly kind: FileKind | 'folder';
  readonly stat: VaultStat;
}

export interface LocateOptions {
  /** Look for what the caller may have meant when nothing is found; costs a look through the folder. Default true. */
  readonly hints?: boolean;
  /** For whom: what may not be read is not there, and is not hinted at. Default: whoever may read everything. */
  readonly access?: Access;
}

export interface Vault {
  /** Absolute, without symbolic links. */
  readonly root: string;
  readonly docSuffixes: readonly string[];
  /** Whether the disk tells `A.md` from `a.md`; where it does not, names are compared with the folder's listing. */
  readonly caseSensitive: boolean;
  /** What may be read and written of it: everything, but for the views of view.ts. */
  readonly access: Access;
  /** The vault without its callers: itself, unless it is a view. What is remembered of files belongs to this one. */
  readonly whole: Vault;
  /**
   * Finds what stands at a path, following no symbolic link. A name in NFC finds the same name in any normal form.
   *
   * @throws AppError `not_found`, `not_a_directory` (something below a file), `invalid_path` (a symbolic link or
   * something that is no file), `unreadable` (no permission)
   */
  locate(path: VaultPath, options?: LocateOptions): Promise<Located>;
}

/** The vault's folder cannot be used; the message says why and what to do. */
export class VaultOpenError extends Error {
  override readonly name = 'VaultOpenError';
}

/**
 * Opens the vault at a folder, which may itself be reached through symbolic links.
 *
 * @throws VaultOpenError when it is missing, no folder, or may not be read
 */
export async function openVault(root: string, options: { readonly docSuffixes: readonly string[] }): Promise<Vault> {
  const resolved = await resolveRoot(root);
  const presence = await observePresence(resolved);
  const vault: Vault = {
    root: resolved,
    docSuffixes: options.docSuffixes,
    caseSensitive: await isCaseSensitive(resolved),
    access: EVERYTHING,
    get whole() {
      return vault;
    },
    locate: (path, { hints = true, access = EVERYTHING } = {}) => locate(vault, presence, path, { hints, access }),
  };
  return vault;
}

async function resolveRoot(root: string): Promise<string> {
  try {
    const resolved = await realpath(root);
    if (!(await stat(resolved)).isDirectory()) {
      throw new VaultOpenError(
        `The vault "${root}" is not a folder: set vault.path to the folder that holds the notes.`,
      );
    }
    await tryAccess(resolved, constants.R_OK | constants.X_OK);
    return resolved;
  } catch (error) {
    if (error instanceof VaultOpenError) throw error;
    throw new VaultOpenError(`The vault "${root}" ${openProblem(error)}`, { cause: error });
  }
}

function openProblem(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'does not exist: set vault.path to the folder that holds the notes.';
    case 'ENOTDIR':
      return 'is not a folder: set vault.path to the folder that holds the notes.';
    case 'EACCES':
    case 'EPERM':
      return `may not be read by ${thisUser()}: grant it read and search permission on that folder.`;
    case 'ELOOP':
      return 'is a symbolic link that leads back to itself.';
    default:
      return `cannot be opened: ${(error as Error).message}`;
  }
}

/** In a container nobody sees as whom a program runs. */
function thisUser(): string {
  return process.getuid && process.getgid ? `uid ${process.getuid()}, gid ${process.getgid()}` : 'this user';
}

/** Asks for an entry of the root by its name in the other case; an empty root is judged by the platform. */
async function isCaseSensitive(root: string): Promise<boolean> {
  const names = await readdir(root);
  for (const name of names.filter((entry) => /^[\x20-\x7e]{1,200}$/.test(entry))) {
    const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    if (swapped !== name && !names.includes(swapped)) return (await statOf(join(root, swapped))) === null;
  }
  return process.platform !== 'darwin' && process.platform !== 'win32';
}

/** Said for every path: that one of its notes is not there would send the caller looking for another name. */
export function vaultGone(cause?: unknown): AppError {
  return new AppError('not_found', 'The vault itself is not there: is its folder mounted?', { cause });
}

async function locate(
  vault: Vault,
  presence: VaultPresence,
  path: VaultPath,
  { hints, access }: Required<LocateOptions>,
): Promise<Located> {
  // By the path's text alone, so that nothing on the disk shows in the answer or in its time.
  if (!access.mayEnter(path)) throw nothingAt(path);
  const found: string[] = [];
  let absolute = vault.root;
  const root = await statOf(absolute);
  // Whoever asks for the root draws conclusions from what is missing there: an empty mount point is no vault without notes.
  if (root === null || (path === '' && !(await presence.isThere()))) throw vaultGone();
  let stats = root;
  for (const name of path === '' ? [] : path.split('/')) {
    if (!stats.isDirectory()) throw access.mayRead(found.join('/')) ? nothingBelow(found.join('/')) : nothingAt(path);
    const component = await findComponent(absolute, name, vault.caseSensitive);
    if (component === null) throw await missingComponent({ absolute, found, path, hints, access });
    found.push(component.name);
    absolute = join(absolute, component.name);
    stats = component.stats;
    if (stats.isSymbolicLink()) {
      throw new AppError('invalid_path', `"${shown(found.join('/'))}" is a symbolic link, which is never followed.`);
    }
  }
  if (!stats.isDirectory() && !stats.isFile()) {
    throw new AppError('invalid_path', `"${shown(path)}" is neither a file nor a folder.`);
  }
  const disk = found.join('/') as VaultPath;
  if (!maySee(access, disk, stats.isDirectory())) throw nothingAt(path);
  return {
    path: disk,
    absolute,
    kind: stats.isDirectory() ? 'folder' : fileKindOf(disk, vault.docSuffixes),
    stat: vaultStat(stats),
  };
}

function nothingBelow(file: string): AppError {
  return new AppError('not_a_directory', `"${shown(file)}" is a file: nothing can stand below it.`);
}

/** The parts of a stat that the product keeps. */
export function vaultStat(stats: {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly ino: number;
}): VaultStat {
  const { size, mtimeMs, ctimeMs, birthtimeMs, ino } = stats;
  return { size, mtimeMs, ctimeMs, birthtimeMs, inode: ino };
}
