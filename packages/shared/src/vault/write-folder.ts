/** Makes folders. That one is there already is success, so that callers need not ask first. */
import { AppError } from '../errors.ts';
import { type LockOwnership, refuseWhenClosed } from './lock.ts';
import { openFolderMaking } from './make-folder.ts';
import { shown, type VaultPath } from './path.ts';
import type { Vault } from './vault.ts';
import { writing } from './write-errors.ts';
import { requireFolderName } from './write-rules.ts';
import { checkTarget, requireFreeName, requireWritable } from './write-target.ts';

export interface CreateFolderOptions {
  readonly dryRun?: boolean | undefined;
  readonly scope?: VaultPath | undefined;
}

export interface CreateFolderResult {
  /** In the spelling on disk. */
  readonly path: VaultPath;
  /** Folders that were not there before, outermost first; in a dry run those that would be made. */
  readonly made: readonly VaultPath[];
  readonly dryRun: boolean;
}

/** @throws AppError in the order of the contract; `already_exists` for a file there, `not_a_directory` below a file */
export async function createFolder(
  { vault, locks }: { readonly vault: Vault; readonly locks: LockOwnership },
  path: VaultPath,
  options: CreateFolderOptions,
): Promise<CreateFolderResult> {
  const target = await checkTarget(vault, path, {
    act: 'add',
    creates: true,
    scope: options.scope,
    requireSuffix: (found) => requireFolderName(found, vault.docSuffixes),
  });
  const { existing } = target;
  const dryRun = options.dryRun ?? false;
  if (existing?.kind === 'folder') return { path: target.path, made: [], dryRun };
  if (existing !== null) {
    throw new AppError('already_exists', `"${shown(existing.path)}" is a file: choose another name for the folder.`);
  }
  await requireFreeName(vault, target);
  await requireWritable(target);
  if (dryRun) return { path: target.path, made: [...target.missingFolders, target.path], dryRun };
  refuseWhenClosed(locks);
  const { folder, made } = await writing(target.path, () => openFolderMaking(vault, target.path));
  await folder.close();
  return { path: target.path, made, dryRun };
}
