/**
 * Takes files and folders out of the vault: into the trash, or for good. Danger: a folder goes only when all of it may
 * go, so it is looked through first, and one hidden entry or symbolic link refuses the whole of it.
 */
import type { Dirent } from 'node:fs';
import { lstatSync, type Stats } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { syncFolder } from './durable.ts';
import { fileVersion, isVersion } from './file-version.ts';
import { type LockOwnership, refuseWhenClosed } from './lock.ts';
import type { Entry } from './move-entry.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
import { type FileKind, fileKindOf, nameOf, parentOf, pathFromDisk, shown, type VaultPath } from './path.ts';
import { checkPreconditions } from './preconditions.ts';
import { removeTree } from './remove-tree.ts';
import { takeAway } from './take-away.ts';
import { isDeadTemp, tempName } from './temp-files.ts';
import { moveToTrash } from './trash.ts';
import type { Located, Vault, VaultStat } from './vault.ts';
import { writing } from './write-errors.ts';
import { checkTarget, requireWritable } from './write-target.ts';

export interface RemoveOptions {
  /** Keep it in `.trash`, under the same path. */
  readonly trash: boolean;
  readonly dryRun?: boolean | undefined;
  readonly scope?: VaultPath | undefined;
}

export interface RemoveFileOptions extends RemoveOptions {
  readonly expectedEtag?: string | undefined;
}

export interface RemoveFolderOptions extends RemoveOptions {
  /** Without it only an empty folder goes. */
  readonly recursive?: boolean | undefined;
}

export interface RemoveFileResult {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  readonly kind: FileKind;
  /** Of what was removed. Null for a document or attachment unless a version was expected: those may be huge. */
  readonly etagBefore: string | null;
  /** Where it is now, from the vault's root; null when it was removed for good, and in a dry run. */
  readonly trashed: string | null;
  readonly dryRun: boolean;
}

export interface RemoveFolderResult {
  readonly path: VaultPath;
  /** Every file that went with it. */
  readonly files: readonly { readonly path: VaultPath; readonly kind: FileKind }[];
  /** Folders below it that went with it. */
  readonly folders: readonly VaultPath[];
  readonly trashed: string | null;
  readonly dryRun: boolean;
}

export interface RemoveContext {
  readonly vault: Vault;
  readonly locks: LockOwnership;
}

/** @throws AppError in the order of the contract; `is_directory`, `precondition_failed` */
export async function removeFile(
  { vault, locks }: RemoveContext,
  path: VaultPath,
  options: RemoveFileOptions,
): Promise<RemoveFileResult> {
  const existing = await existingTarget(vault, path, options);
  if (existing.kind === 'folder') {
    throw new AppError('is_directory', `"${shown(existing.path)}" is a folder: remove it as one.`);
  }
  const needsEtag = existing.kind === 'note' || options.expectedEtag !== undefined;
  const version = needsEtag ? await fileVersion(vault, existing) : null;
  const etagBefore = version?.sha256 ?? null;
  checkPreconditions(existing.path, etagBefore, { expectedEtag: options.expectedEtag });
  const result = { path: existing.path, kind: existing.kind, etagBefore, trashed: null };
  if (options.dryRun) return { ...result, dryRun: true };
  const trashed = await inParent(vault, existing.path, async (folder) => {
    const entry = { folder, name: nameOf(existing.path) };
    const seen = version?.stat ?? existing.stat;
    if (!options.trash) return unlinkSeen(entry, seen, locks, existing.path);
    const place = await moveToTrash(vault, existing.path, entry, { locks, seen });
    if (place === null) throw changedMeanwhile(existing.path);
    return place;
  });
  return { ...result, trashed, dryRun: false };
}

async function unlinkSeen(
  { folder, name }: Entry,
  seen: VaultStat,
  locks: LockOwnership,
  path: VaultPath,
): Promise<null> {
  const leaf = join(folder.path, name);
  refuseWhenClosed(locks);
  const isSeen = (now: Stats) => isVersion(now, { ...seen, ctimeMs: now.ctimeMs });
  // Its ctime too, as long as its name is the old one.
  const isGone = isVersion(lstatSync(leaf), seen) && takeAway(leaf, join(folder.path, tempName(locks.owner)), isSeen);
  if (!isGone) throw changedMeanwhile(path);
  await syncFolder(folder.path);
  return null;
}

/** @throws AppError in the order of the contract; `not_a_directory`, `not_empty`, `invalid_path` for what is protected */
export async function removeFolder(
  { vault, locks }: RemoveContext,
  path: VaultPath,
  options: RemoveFolderOptions,
): Promise<RemoveFolderResult> {
  const existing = await existingTarget(vault, path, options);
  if (existing.kind !== 'folder') {
    throw new AppError(
      'not_a_directory',
      `"${shown(existing.path)}" is a ${existing.kind}, not a folder: remove it as a file.`,
    );
  }
  const content = await folderContent(vault, locks, existing.path, options.recursive ?? false);
  const result = { path: existing.path, ...content, trashed: null };
  if (options.dryRun) return { ...result, dryRun: true };
  const trashed = await inParent(vault, existing.path, async (folder) => {
    const entry = { folder, name: nameOf(existing.path) };
    refuseWhenClosed(locks);
    if (options.trash) return moveToTrash(vault, existing.path, entry, { locks, seen: null });
    // Gone from sight at once; should the process die in the middle, the next start sweeps away the rest.
    await removeForGood(folder, entry.name, tempName(locks.owner));
    return null;
  });
  return { ...result, trashed, dryRun: false };
}

async function removeForGood(folder: OpenFolder, name: string, doomed: string): Promise<void> {
  await rename(join(folder.path, name), join(folder.path, doomed));
  try {
    await syncFolder(folder.path);
    await removeTree(folder, doomed);
  } catch (error) {
    // What could not be removed must not stay out of sight.
    await rename(join(folder.path, doomed), join(folder.path, name));
    throw error;
  }
}

function changedMeanwhile(path: VaultPath): AppError {
  const message = `Another program has just changed "${shown(path)}". Nothing was removed: look at it, and try again.`;
  return new AppError('locked', message);
}

async function existingTarget(vault: Vault, path: VaultPath, options: RemoveFileOptions): Promise<Located> {
  const target = await checkTarget(vault, path, { creates: false, scope: options.scope });
  if (target.existing === null) {
    checkPreconditions(target.path, null, { expectedEtag: options.expectedEtag });
    return vault.locate(path);
  }
  await requireWritable(target);
  return target.existing;
}

async function inParent<T>(vault: Vault, path: VaultPath, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
  const folder = await openFolder(vault, parentOf(path));
  try {
    return await writing(path, () => work(folder));
  } finally {
    await folder.close();
  }
}

/** Everything in a folder, or the refusal to remove it. Sorted by path. */
async function folderContent(
  vault: Vault,
  locks: Pick<LockOwnership, 'isAlive'>,
  root: VaultPath,
  recursive: boolean,
): Promise<Pick<RemoveFolderResult, 'files' | 'folders'>> {
  const files: { path: VaultPath; kind: FileKind }[] = [];
  const folders: VaultPath[] = [];
  const queue: VaultPath[] = [root];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const entry of await entriesOf(vault, at)) {
      // What a dead process left half written goes with the folder.
      if (isDeadTemp(entry.name, locks)) continue;
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

async function entriesOf(vault: Vault, path: VaultPath): Promise<Dirent[]> {
  const folder = await openFolder(vault, path);
  return writing(path, () => readdir(folder.path, { withFileTypes: true })).finally(() => folder.close());
}

function protectedInside(root: VaultPath, entry: string): AppError {
  return new AppError(
    'invalid_path',
    `"${shown(root)}" was left as it is, because "${shown(entry)}" in it is protected: hidden entries, symbolic links and what is neither file nor folder are never removed. Remove that one by hand first.`,
  );
}
