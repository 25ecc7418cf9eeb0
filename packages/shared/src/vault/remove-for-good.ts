/**
 * Deletes a folder of the vault for good. Danger: a deletion can stop halfway, at an entry that the system will not give
 * up. So the folder first goes out of sight as a whole, under a name that the next start sweeps away should this process
 * die; what then cannot be deleted comes back into sight, and is told.
 */
import { lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './move-entry.ts';
import { type KeptEntry, removeTree } from './remove-tree.ts';
import { syncFolder } from './sync-folder.ts';
import { numberedNames } from './trash.ts';

/** What is left of a folder. */
export interface Remainder {
  /** The folder's name by now: its own, unless that was given away meanwhile. */
  readonly name: string;
  /** What could not be deleted, from that folder. */
  readonly kept: readonly KeptEntry[];
}

/**
 * @param doomed a temporary name beside the folder (tempName)
 * @param remove deletes a tree; a parameter so that one which cannot be deleted can be tried
 * @returns null when all of it is gone
 * @throws the file system's error; nothing is changed then
 */
export async function removeForGood(
  { folder, name }: Entry,
  doomed: string,
  remove = removeTree,
): Promise<Remainder | null> {
  renameSync(join(folder.path, name), join(folder.path, doomed));
  await syncFolder(folder.path);
  const kept = await remove(folder, doomed);
  if (kept.length === 0) return null;
  const inside = kept.map(({ path, error }) => ({ path: path.slice(doomed.length + 1), error }));
  for (const candidate of numberedNames(name)) {
    // In one turn with the look: a rename would replace an empty folder.
    if (lstatSync(join(folder.path, candidate), { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(join(folder.path, doomed), join(folder.path, candidate));
    await syncFolder(folder.path);
    return { name: candidate, kept: inside };
  }
  return { name: doomed, kept: inside };
}

/** Why an entry could not be deleted, and what to do about it. */
export function reasonToKeep(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EACCES':
    case 'EPERM':
      return 'the server has no permission to delete it: grant it write access, and delete it again';
    case 'EROFS':
      return 'it is mounted read-only';
    case 'EBUSY':
      return 'something is mounted there, or another program keeps it busy';
    case 'ENOTEMPTY':
    case 'EEXIST':
      return 'something was put there meanwhile: look at it, and delete it again';
    default:
      return 'the file system would not delete it: look at it, and delete it again';
  }
}
