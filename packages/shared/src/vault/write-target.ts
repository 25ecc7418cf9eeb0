/**
 * What a write is aimed at, checked in the order that the contract fixes: symbolic links on the way, protected and
 * unportable names, suffix, the request's write scope and the caller's rights; whether the thing is there comes last, so that a refusal says
 * nothing about what a caller may not touch. Danger: this is a statement about a moment. It is made again under the
 * lock, and the write itself goes through opened folders (open-leaf.ts).
 */
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { isIndexPagePath } from './index-page.ts';
import { findComponent } from './lookup.ts';
import { openFolder } from './open-leaf.ts';
import { fileKindOf, nameOf, pathKey, shown, type VaultPath } from './path.ts';
import { type Located, type Vault, vaultStat } from './vault.ts';
import { writing } from './write-errors.ts';
import { onTheWay, requireAnyRight, requireRight, type WriteAct } from './write-rights.ts';
import { refuseProtected, requireFolderName, requireModestDepth, requirePortableNames } from './write-rules.ts';

export interface Target {
  /** In the spelling on disk as far as it is there, in the caller's behind that. */
  readonly path: VaultPath;
  readonly existing: Located | null;
  /** The deepest folder on the way that is there. */
  readonly base: { readonly path: VaultPath; readonly absolute: string };
  /** Folders that would have to be made first, outermost first. */
  readonly missingFolders: readonly VaultPath[];
  /** A file that stands where a folder would have to be; null when the way is free. */
  readonly blockedBy: VaultPath | null;
}

/**
 * Follows a path as far as it goes.
 *
 * @throws AppError `invalid_path` for a symbolic link on the way, something that is neither file nor folder, or a path
 * that is not there and too deep to be made; `unreadable` without permission
 */
export async function findTarget(vault: Vault, path: VaultPath): Promise<Target> {
  const segments = path === '' ? [] : path.split('/');
  const found: string[] = [];
  let absolute = vault.root;
  let existing: Located = await vault.locate('' as VaultPath);
  for (const name of segments) {
    const component = existing.kind === 'folder' ? await findComponent(absolute, name, vault.caseSensitive) : null;
    if (component === null) break;
    found.push(component.name);
    absolute = join(absolute, component.name);
    existing = asLocated(vault, found.join('/') as VaultPath, absolute, component.stats);
  }
  const missing = segments.slice(found.length);
  const whole = [...found, ...missing].join('/') as VaultPath;
  const isThere = missing.length === 0;
  if (!isThere) requireModestDepth(whole);
  const isFolder = existing.kind === 'folder';
  // What stands at the path itself is no folder on the way to it.
  const onTheWay = isThere || !isFolder ? found.slice(0, -1) : found;
  return {
    path: whole,
    existing: isThere ? existing : null,
    base: { path: onTheWay.join('/') as VaultPath, absolute: join(vault.root, ...onTheWay) },
    missingFolders: missing.slice(0, -1).map((_, i) => [...found, ...missing.slice(0, i + 1)].join('/') as VaultPath),
    blockedBy: isThere || isFolder ? null : existing.path,
  };
}

function asLocated(
  vault: Vault,
  path: VaultPath,
  absolute: string,
  stats: NonNullable<Awaited<ReturnType<typeof findComponent>>>['stats'],
): Located {
  if (stats.isSymbolicLink()) {
    throw new AppError('invalid_path', `"${shown(path)}" is a symbolic link, which is never followed.`);
  }
  if (!stats.isDirectory() && !stats.isFile()) {
    throw new AppError('invalid_path', `"${shown(path)}" is neither a file nor a folder.`);
  }
  const kind = stats.isDirectory() ? 'folder' : fileKindOf(path, vault.docSuffixes);
  return { path, absolute, kind, stat: vaultStat(stats) };
}

export interface TargetRules {
  /** For the rights of the vault's `access`. */
  readonly act: WriteAct;
  /** Whether the write may make what is not there, so that new names have to be good ones. */
  readonly creates: boolean;
  /** What the path's suffix has to be. @throws AppError */
  requireSuffix?(path: VaultPath): void;
  /** The note or folder that this request's writes are confined to. */
  readonly scope?: VaultPath | undefined;
  /** The generated page at the root may be written by its generator alone. */
  readonly indexPage?: boolean;
}

/** Finds a target and checks all of it but whether it is there. @throws AppError in the order of the contract */
export async function checkTarget(vault: Vault, path: VaultPath, rules: TargetRules): Promise<Target> {
  if (vault.access.rightAt(path) === false) refuseUnseen(vault, path, rules);
  const target = await findTarget(vault, path);
  if (!(rules.indexPage && isIndexPagePath(target.path))) refuseProtected(target.path);
  if (rules.creates) {
    for (const folder of target.missingFolders) requireFolderName(folder, vault.docSuffixes);
    for (const made of [...target.missingFolders, ...(target.existing ? [] : [target.path])]) {
      requirePortableNames(nameOf(made) as VaultPath);
    }
  }
  rules.requireSuffix?.(target.path);
  requireInScope(target.path, rules.scope);
  requireRight(vault.access, target, rules.act);
  return target;
}

/** In the order of the contract as far as the path's text goes, the disk not being looked at. @throws AppError always */
function refuseUnseen({ access }: Vault, path: VaultPath, rules: TargetRules): void {
  refuseProtected(path);
  rules.requireSuffix?.(path);
  requireAnyRight(access, path);
}

/** @throws AppError `out_of_scope` */
export function requireInScope(path: VaultPath, scope: VaultPath | undefined): void {
  if (scope === undefined) return;
  // Case counts: on a disk that tells cases apart, another case is another folder.
  const [wanted, confined] = [path.normalize('NFC'), scope.normalize('NFC')];
  if (wanted === confined || wanted.startsWith(`${confined}/`)) return;
  throw new AppError(
    'out_of_scope',
    `This request may change "${shown(scope)}" only, and "${shown(path)}" is not in it. Report that; do not retry elsewhere.`,
  );
}

/**
 * Makes sure that a new name may be made where the target points.
 *
 * @param options.except an entry that will be gone by then: what is being renamed
 * @throws AppError `not_a_directory` below a file, `already_exists` next to a name that differs only by case or form
 */
export async function requireFreeName(
  vault: Vault,
  target: Target,
  options: { readonly except?: VaultPath } = {},
): Promise<void> {
  if (target.blockedBy !== null) {
    if (!vault.access.mayRead(target.blockedBy)) throw onTheWay(target.path);
    throw new AppError('not_a_directory', `"${shown(target.blockedBy)}" is a file: nothing can stand below it.`);
  }
  const wanted = nameOf(target.missingFolders[0] ?? target.path);
  const key = pathKey(wanted);
  for (const name of await writing(target.path, () => namesIn(vault, target.base.path))) {
    // The very name was not there a moment ago: somebody else has just made it, and whoever has the lock finds it there.
    if (name === wanted || pathKey(name) !== key) continue;
    const taken = (target.base.path === '' ? name : `${target.base.path}/${name}`) as VaultPath;
    if (taken === options.except) continue;
    if (!vault.access.mayRead(taken)) throw onTheWay(target.path);
    throw new AppError(
      'already_exists',
      `There is "${shown(taken)}" already, which other systems take for the same name: use it, or choose another.`,
    );
  }
}

/** What stands in a folder. @throws AppError like openFolder; the file system's error */
export async function namesIn(vault: Vault, path: VaultPath): Promise<string[]> {
  const folder = await openFolder(vault, path);
  return readdir(folder.path).finally(() => folder.close());
}

/** @throws AppError `out_of_scope` when the system would not let this process write there: cheap, and true in a dry run */
export async function requireWritable(target: Target): Promise<void> {
  const { existing, base } = target;
  await writing(target.path, async () => {
    await access(base.absolute, constants.W_OK | constants.X_OK);
    // A file that its owner marked read-only is not replaced behind that mark.
    if (existing && existing.kind !== 'folder') await access(existing.absolute, constants.W_OK);
  });
}
