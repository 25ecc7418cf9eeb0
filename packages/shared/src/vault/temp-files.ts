/**
 * Temporary files beside the notes they will become. Danger: a name must be short (a note's own name may fill all 255
 * bytes), dotted (watchers, walks and sync programs pass it over) and carry its process's uuid, so that a start sweeps
 * away what dead processes left and never what a living one is writing. Nothing else in the vault is deleted unasked.
 */
import { randomBytes } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathLocks } from './lock.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
import { pathFromDisk, type VaultPath } from './path.ts';
import { removeTree } from './remove-tree.ts';
import type { Vault } from './vault.ts';

const TEMP_NAME = /^\.vault-mcp-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[0-9a-f]{8}\.tmp$/;

/** A new name for something temporary of this owner: 68 bytes. */
export function tempName(owner: string): string {
  return `.vault-mcp-${owner}-${randomBytes(4).toString('hex')}.tmp`;
}

/** The uuid of the process that made a temporary file; null when the name is none of ours. */
export function ownerOfTempName(name: string): string | null {
  return TEMP_NAME.exec(name)?.[1] ?? null;
}

/** Whether this is something temporary that nobody is using any more. */
export function isDeadTemp(name: string, locks: Pick<PathLocks, 'isAlive'>): boolean {
  const owner = ownerOfTempName(name);
  return owner !== null && !locks.isAlive(owner);
}

/** What a new file should have in common with the one it replaces. */
export type Likeness = Pick<Stats, 'mode' | 'uid' | 'gid'>;

export type FileContent = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a temporary file into an open folder and brings it to the disk.
 *
 * @param like mode and owner to take over, the owner only where the system lets this process; null for a new file
 * @returns its absolute path, valid as long as the folder is open
 * @throws the file system's error; the file is gone then
 */
export async function writeTempFile(
  folder: OpenFolder,
  owner: string,
  content: FileContent,
  like: Likeness | null,
): Promise<string> {
  const path = join(folder.path, tempName(owner));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  // Closed to others until it has its mode: it may hold what only its owner may read.
  const handle = await open(path, flags, like === null ? 0o666 : 0o600);
  try {
    if (content instanceof Uint8Array) await handle.writeFile(content);
    else for await (const part of content) await handle.writeFile(part);
    if (like !== null) await makeLike(handle, like);
    await handle.sync();
    await handle.close();
    return path;
  } catch (error) {
    await handle.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** Gives a temporary file that is there already the mode and owner of the file it is to replace. */
export async function giveLikeness(path: string, like: Likeness): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    await makeLike(handle, like);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeLike(handle: FileHandle, like: Likeness): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== like.uid || own.gid !== like.gid) {
    await handle.chown(like.uid, like.gid).catch(ignoreForbidden);
  }
  // After the owner, since changing that takes some bits away.
  await handle.chmod(like.mode & 0o7777).catch(ignoreForbidden);
}

/** Only root may give files away, and some mounts know no modes: the note is worth more than its owner's name. */
function ignoreForbidden(error: NodeJS.ErrnoException): void {
  if (!['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(error.code ?? '')) throw error;
}

export interface SweepOptions {
  /** False: only directly in the root, where who writes nothing but the index page leaves its own. Default true. */
  readonly recursive?: boolean;
  /** Told of each folder that cannot be read and each file that cannot be removed. */
  onProblem?(problem: { readonly path: string; readonly error: unknown }): void;
}

/**
 * Removes what dead processes left half done in the vault. For the start; harmless at any time.
 *
 * @returns how many files and folders were removed
 */
export async function sweepTempFiles(
  vault: Vault,
  locks: Pick<PathLocks, 'isAlive'>,
  options: SweepOptions = {},
): Promise<number> {
  let removed = 0;
  const folders: VaultPath[] = ['' as VaultPath];
  for (let path = folders.pop(); path !== undefined; path = folders.pop()) {
    const problem = (error: unknown) => options.onProblem?.({ path: path ?? '', error });
    try {
      const folder = await openFolder(vault, path);
      try {
        const entries = await readdir(folder.path, { withFileTypes: true });
        removed += await sweepEntries(folder, entries, locks, problem);
        if (options.recursive ?? true) folders.push(...subfolders(path, entries));
      } finally {
        await folder.close();
      }
    } catch (error) {
      problem(error);
    }
  }
  return removed;
}

async function sweepEntries(
  folder: OpenFolder,
  entries: readonly Dirent[],
  locks: Pick<PathLocks, 'isAlive'>,
  problem: (error: unknown) => void,
): Promise<number> {
  let removed = 0;
  for (const entry of entries) {
    if (!isDeadTemp(entry.name, locks)) continue;
    const kept = await removeTree(folder, entry.name);
    for (const { error } of kept) problem(error);
    if (kept.length === 0) removed += 1;
  }
  return removed;
}

function subfolders(path: VaultPath, entries: readonly Dirent[]): VaultPath[] {
  return entries.flatMap((entry) => {
    const below = entry.isDirectory() ? pathFromDisk(path, entry.name) : null;
    return below === null ? [] : [below];
  });
}
