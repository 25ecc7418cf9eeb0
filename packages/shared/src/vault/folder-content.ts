/**
 * Looks through a folder that is to be removed. Danger: it goes only when all of it may go, so one hidden entry or
 * symbolic link refuses the whole of it, and so does one folder that would not let its entries be deleted.
 */
import { constants, type Dirent } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import type { LockOwnership } from './lock.ts';
import { openFolder } from './open-leaf.ts';
import { type FileKind, fileKindOf, pathFromDisk, shown, type VaultPath } from './path.ts';
import { isDeadTemp, ownerOfTempName } from './temp-files.ts';
import type { Vault } from './vault.ts';
import { writing } from './write-errors.ts';

export interface FolderContent {
  readonly files: readonly { readonly path: VaultPath; readonly kind: FileKind }[];
  /** Below it. */
  readonly folders: readonly VaultPath[];
}

export interface RemovalKind {
  /** Without it only an empty folder may go. */
  readonly recursive: boolean;
  /** Whether each entry is to be deleted by itself; else the folder goes elsewhere as it is. */
  readonly toDelete: boolean;
  /** Before the lock is had: what others are still writing may be done by then. */
  readonly beforeLock: boolean;
}

/**
 * Everything in a folder, sorted by path.
 *
 * @throws AppError `not_empty`, `invalid_path` naming what is protected, `locked` while a document is coming in, which
 * takes no lock before it is there; `out_of_scope` without permission
 */
export async function folderContent(
  { vault, locks }: { readonly vault: Vault; readonly locks: Pick<LockOwnership, 'isAlive'> },
  root: VaultPath,
  { recursive, toDelete, beforeLock }: RemovalKind,
): Promise<FolderContent> {
  const files: { path: VaultPath; kind: FileKind }[] = [];
  const folders: VaultPath[] = [];
  const queue: VaultPath[] = [root];
  const isPassedOver = (name: string) => {
    if (ownerOfTempName(name) === null) return false;
    // What a dead process left half written goes with the folder.
    if (isDeadTemp(name, locks) || beforeLock) return true;
    throw beingWritten(root);
  };
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const entries = await entriesOf(vault, at, toDelete);
    for (const entry of entries) {
      if (isPassedOver(entry.name)) continue;
      if (!recursive) {
        const message = `"${shown(root)}" is not empty: ask for "recursive" to remove it with everything in it.`;
        throw new AppError('not_empty', message);
      }
      const path = pathFromDisk(at, entry.name);
      if (path === null || !(entry.isDirectory() || entry.isFile())) throw protectedInside(root, `${at}/${entry.name}`);
      if (entry.isFile()) files.push({ path, kind: fileKindOf(path, vault.docSuffixes) });
      else folders.push(path);
      if (entry.isDirectory()) queue.push(path);
    }
  }
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  return { files: files.sort(byPath), folders: folders.sort() };
}

/** @param removable whether each entry is to be deleted by itself. @throws AppError `out_of_scope` when none could be */
async function entriesOf(vault: Vault, path: VaultPath, removable: boolean): Promise<Dirent[]> {
  const folder = await openFolder(vault, path);
  const list = async () => {
    const entries = await readdir(folder.path, { withFileTypes: true });
    if (removable && entries.length > 0) await access(folder.path, constants.W_OK | constants.X_OK);
    return entries;
  };
  return writing(path, list).finally(() => folder.close());
}

function beingWritten(root: VaultPath): AppError {
  const message = `"${shown(root)}" was left as it is, because something is just being written in it: try again in a moment.`;
  return new AppError('locked', message);
}

function protectedInside(root: VaultPath, entry: string): AppError {
  return new AppError(
    'invalid_path',
    `"${shown(root)}" was left as it is, because "${shown(entry)}" in it is protected: hidden entries, symbolic links and what is neither file nor folder are never removed. Remove that one by hand first.`,
  );
}
