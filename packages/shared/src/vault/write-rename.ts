/**
 * Gives a note, document, attachment or folder another path. Links are not touched here. Danger: nothing is ever
 * replaced, and what a file is may not change: a note stays a note.
 */
import { AppError } from '../errors.ts';
import { fileVersion } from './file-version.ts';
import type { LockOwnership } from './lock.ts';
import { openFolderMaking, unmakeFolders } from './make-folder.ts';
import { type MoveOptions, type MoveOutcome, moveEntry } from './move-entry.ts';
import { openFolder } from './open-leaf.ts';
import { type FileKind, fileKindOf, nameOf, parentOf, pathKey, shown, type VaultPath } from './path.ts';
import { checkPreconditions } from './preconditions.ts';
import type { Located, Vault } from './vault.ts';
import { writing } from './write-errors.ts';
import { requireWholeTree } from './write-rights.ts';
import { requireFolderName } from './write-rules.ts';
import { checkTarget, requireFreeName, requireWritable, type Target } from './write-target.ts';

/** How often a move is begun anew because another program changed the file meanwhile. */
const MAX_ATTEMPTS = 5;

export interface RenameOptions {
  /** Of the source; for files only. */
  readonly expectedEtag?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly scope?: VaultPath | undefined;
  /** The caller wrote the destination as a folder, with a slash at its end. */
  readonly intoFolder?: boolean | undefined;
  /**
   * Complete a rename that a crash cut short: when the destination is already the very same file, the source's name
   * goes and the rename counts as done. For the one who kept a record of the intent.
   */
  readonly resume?: boolean | undefined;
}

export interface RenameResult {
  /** Both in the spelling on disk. */
  readonly source: VaultPath;
  readonly destination: VaultPath;
  readonly kind: FileKind | 'folder';
  /** Null for a folder, and for a document or attachment unless a version was expected. */
  readonly etag: string | null;
  readonly madeFolders: readonly VaultPath[];
  readonly dryRun: boolean;
}

export interface RenameContext {
  readonly vault: Vault;
  readonly locks: LockOwnership;
}

interface Plan {
  readonly source: Located;
  readonly destination: Target;
  readonly isSameName: boolean;
}

/**
 * @throws AppError in the order of the contract; `kind_change`, `already_exists`, `precondition_failed`, `invalid_path`
 * for a folder into itself
 */
export async function renameEntry(
  context: RenameContext,
  from: VaultPath,
  to: VaultPath,
  options: RenameOptions,
): Promise<RenameResult> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const result = await attemptRename(context, from, to, options);
    if (result !== 'changed-meanwhile') return result;
  }
  const message = `Another program keeps changing "${shown(from)}". Nothing was moved: try again in a moment.`;
  throw new AppError('locked', message);
}

async function attemptRename(
  { vault, locks }: RenameContext,
  from: VaultPath,
  to: VaultPath,
  options: RenameOptions,
): Promise<RenameResult | 'changed-meanwhile'> {
  const { source, destination, isSameName } = await planRename(vault, from, to, options);
  const needsEtag = source.kind === 'note' || (source.kind !== 'folder' && options.expectedEtag !== undefined);
  const version = needsEtag ? await fileVersion(vault, source) : null;
  const etag = version?.sha256 ?? null;
  if (source.kind !== 'folder') checkPreconditions(source.path, etag, { expectedEtag: options.expectedEtag });
  requireKindOf(vault, source, destination, options);
  await requireFreeDestination(vault, source, destination, isSameName, options.resume ?? false);
  await requireWritable(destination);
  const result: RenameResult = {
    source: source.path,
    destination: destination.path,
    kind: source.kind,
    etag,
    madeFolders: destination.missingFolders,
    dryRun: options.dryRun ?? false,
  };
  if (result.dryRun || source.path === destination.path) return result;
  const move: MoveOptions = { locks, seen: version?.stat ?? null, isSameName, resume: options.resume ?? false };
  const outcome = await writing(source.path, () => moveTo(vault, source.path, destination.path, move));
  if (outcome === 'changed') return 'changed-meanwhile';
  if (outcome === 'moved') return result;
  const message = `"${shown(destination.path)}" has just been made: nothing was moved. Choose another name.`;
  throw new AppError('already_exists', message);
}

async function planRename(vault: Vault, from: VaultPath, to: VaultPath, options: RenameOptions): Promise<Plan> {
  const source = await checkTarget(vault, from, { act: 'move', creates: false, scope: options.scope });
  const wanted = await checkTarget(vault, to, { act: 'move', creates: true, scope: options.scope });
  if (source.existing === null) {
    checkPreconditions(source.path, null, { expectedEtag: options.expectedEtag });
    return { source: await vault.locate(from), destination: wanted, isSameName: false };
  }
  if (source.existing.kind === 'folder') {
    requireWholeTree(vault.access, source.path);
    requireWholeTree(vault.access, wanted.path);
  }
  await requireWritable(source);
  const isSameName = pathKey(to) === pathKey(source.path) && parentOf(wanted.path) === parentOf(source.path);
  // The new name finds the old entry: what differs is its normal form only, and the caller's spelling is what is wanted.
  const findsItself = isSameName && wanted.existing?.path === source.path;
  if (!findsItself) return { source: source.existing, destination: wanted, isSameName };
  const parent = parentOf(source.path);
  const path = (parent === '' ? nameOf(to) : `${parent}/${nameOf(to)}`) as VaultPath;
  return { source: source.existing, destination: { ...wanted, path, existing: null }, isSameName };
}

/** The destination has to be the whole new path of the same kind of thing. */
function requireKindOf(
  vault: Vault,
  source: Located,
  { path: destination, existing }: Target,
  { intoFolder }: RenameOptions,
): void {
  if (source.kind === 'folder') {
    requireFolderName(destination, vault.docSuffixes);
    if (destination.startsWith(`${source.path}/`)) {
      throw new AppError('invalid_path', `"${shown(source.path)}" cannot be moved into itself: choose another folder.`);
    }
    return;
  }
  if (existing?.kind === 'folder') throw folderThere(destination, source);
  if (intoFolder) {
    const whole = `${shown(destination)}/${shown(nameOf(source.path))}`;
    const message = `"${shown(destination)}/" would be a folder, and "${shown(source.path)}" is none: give its whole new path, such as "${whole}".`;
    throw new AppError('kind_change', message);
  }
  const kind = fileKindOf(destination, vault.docSuffixes);
  if (kind === source.kind) return;
  throw new AppError(
    'kind_change',
    `"${shown(source.path)}" (${source.kind}) would be another kind of file (${kind}) as "${shown(destination)}": keep its suffix.`,
  );
}

function folderThere(folder: VaultPath, source: Located): AppError {
  const whole = `${shown(folder)}/${shown(nameOf(source.path))}`;
  const message = `"${shown(folder)}" is a folder that is there already: to move "${shown(source.path)}" into it, give its whole new path, "${whole}".`;
  return new AppError('already_exists', message);
}

async function requireFreeDestination(
  vault: Vault,
  source: Located,
  destination: Target,
  isSameName: boolean,
  resume: boolean,
): Promise<void> {
  const { existing } = destination;
  if (existing === null) {
    if (source.path === destination.path) return;
    await requireFreeName(vault, destination, isSameName ? { except: source.path } : {});
    return;
  }
  const isSameFile = existing.stat.inode === source.stat.inode;
  if (existing.path === source.path || (resume && isSameFile && existing.kind !== 'folder')) return;
  if (existing.kind === 'folder') throw folderThere(existing.path, source);
  throw new AppError('already_exists', `"${shown(existing.path)}" is there already: choose another name.`);
}

async function moveTo(vault: Vault, from: VaultPath, to: VaultPath, options: MoveOptions): Promise<MoveOutcome> {
  const source = await openFolder(vault, parentOf(from));
  let made: readonly VaultPath[] = [];
  let outcome: MoveOutcome | null = null;
  try {
    const target = await openFolderMaking(vault, parentOf(to));
    made = target.made;
    try {
      const destination = { folder: target.folder, name: nameOf(to) };
      outcome = await moveEntry({ folder: source, name: nameOf(from) }, destination, options);
      return outcome;
    } finally {
      await target.folder.close();
    }
  } finally {
    await source.close();
    if (outcome !== 'moved') await unmakeFolders(vault, made);
  }
}
