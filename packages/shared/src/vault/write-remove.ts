/**
 * Takes files and folders out of the vault: into the trash, or for good. Danger: a folder goes only when all of it may
 * go, so it is looked through first, and one hidden entry or symbolic link refuses the whole of it.
 */
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { fileVersion, isVersion } from './file-version.ts';
import { type FolderContent, folderContent } from './folder-content.ts';
import { type LockOwnership, refuseWhenClosed } from './lock.ts';
import type { Entry } from './move-entry.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
import { aKind, type FileKind, nameOf, parentOf, shown, type VaultPath } from './path.ts';
import { checkPreconditions } from './preconditions.ts';
import { type Remainder, reasonToKeep, removeForGood } from './remove-for-good.ts';
import type { removeTree } from './remove-tree.ts';
import { syncFolder } from './sync-folder.ts';
import { takeAway } from './take-away.ts';
import { tempName } from './temp-files.ts';
import { moveToTrash } from './trash.ts';
import type { Located, Vault, VaultStat } from './vault.ts';
import { writing } from './write-errors.ts';
import { requireWholeTree } from './write-rights.ts';
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

/** With every file and folder that went with it. */
export interface RemoveFolderResult extends FolderContent {
  readonly path: VaultPath;
  readonly trashed: string | null;
  /**
   * What could not be deleted for good after the rest was, with the reason: it is there, in the folder's place or, had
   * that been given away, beside it. `files` and `folders` are those that went.
   */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  readonly dryRun: boolean;
}

export interface RemoveContext {
  readonly vault: Vault;
  readonly locks: LockOwnership;
  /** Deletes a tree; a parameter so that one which cannot be deleted can be tried. */
  readonly removeTree?: typeof removeTree;
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

/**
 * @throws AppError in the order of the contract; `not_a_directory`, `not_empty`, `invalid_path` for what is protected;
 * nothing is changed then. Once something is deleted for good nothing is thrown: see `left`.
 */
export async function removeFolder(
  { vault, locks, removeTree }: RemoveContext,
  path: VaultPath,
  options: RemoveFolderOptions,
): Promise<RemoveFolderResult> {
  const existing = await existingTarget(vault, path, options);
  if (existing.kind !== 'folder') {
    throw new AppError(
      'not_a_directory',
      `"${shown(existing.path)}" is ${aKind(existing.kind)}, not a folder: remove it as a file.`,
    );
  }
  requireWholeTree(vault.access, existing.path);
  const content = await folderContent({ vault, locks }, existing.path, {
    recursive: options.recursive ?? false,
    toDelete: !options.trash,
    beforeLock: options.dryRun ?? false,
  });
  const result = { path: existing.path, ...content, trashed: null, left: [] };
  if (options.dryRun) return { ...result, dryRun: true };
  const went = await inParent(vault, existing.path, async (folder) => {
    const entry = { folder, name: nameOf(existing.path) };
    refuseWhenClosed(locks);
    if (options.trash) return { trashed: await folderToTrash(vault, existing.path, entry, locks) };
    const remainder = await removeForGood(entry, tempName(locks.owner), removeTree);
    return remainder === null ? {} : whatWent(vault, existing.path, content, remainder);
  });
  return { ...result, ...went, dryRun: false };
}

async function folderToTrash(
  vault: Vault,
  path: VaultPath,
  entry: Entry,
  locks: LockOwnership,
): Promise<string | null> {
  try {
    return await moveToTrash(vault, path, entry, { locks, seen: null });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const message = `"${shown(path)}" is on another file system than the trash, where a folder cannot go whole: remove its files first, or delete it for good with "permanent".`;
    throw new AppError('invalid_path', message, { cause: error });
  }
}

/** What is gone of a folder, and what is left of it. */
async function whatWent(
  vault: Vault,
  root: VaultPath,
  { files, folders }: FolderContent,
  { name, kept }: Remainder,
): Promise<FolderContent & Pick<RemoveFolderResult, 'left'>> {
  const parent = parentOf(root);
  const place = parent === '' ? name : `${parent}/${name}`;
  // Of the whole vault: a name that is ours for the moment is covered by no caller's rules.
  const isGone = async ({ path }: { readonly path: string }) =>
    vault.whole
      .locate(`${place}${path.slice(root.length)}` as VaultPath, { hints: false })
      .then(() => false)
      .catch((error: unknown) => error instanceof AppError && error.code === 'not_found');
  return {
    files: await goneOf(files, isGone),
    folders: (
      await goneOf(
        folders.map((path) => ({ path })),
        isGone,
      )
    ).map(({ path }) => path),
    left: kept.map(({ path, error }) => ({
      path: path === '' ? place : `${place}/${path}`,
      reason: reasonToKeep(error),
    })),
  };
}

async function goneOf<T>(entries: readonly T[], isGone: (entry: T) => Promise<boolean>): Promise<T[]> {
  const gone: T[] = [];
  for (const entry of entries) if (await isGone(entry)) gone.push(entry);
  return gone;
}

function changedMeanwhile(path: VaultPath): AppError {
  const message = `Another program has just changed "${shown(path)}". Nothing was removed: look at it, and try again.`;
  return new AppError('locked', message);
}

async function existingTarget(vault: Vault, path: VaultPath, options: RemoveFileOptions): Promise<Located> {
  const target = await checkTarget(vault, path, { act: 'remove', creates: false, scope: options.scope });
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
