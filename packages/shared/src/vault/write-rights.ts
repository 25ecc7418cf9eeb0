/**
 * What a caller's rights let it do to a target. Danger: what is said of a path that may not be written hangs on its text
 * alone, so that nobody learns by a refusal what is there.
 */
import { AppError } from '../errors.ts';
import type { Access } from './access.ts';
import { shown, type VaultPath } from './path.ts';

/** What is done to a target: something put to what is there, changed in any other way, taken away, or moved from or to it. */
export type WriteAct = 'add' | 'change' | 'remove' | 'move';

/** @throws AppError `out_of_scope` where nothing may be written, whatever is there */
export function requireAnyRight(access: Access, path: VaultPath): void {
  if (access.rightAt(path) !== false) return;
  throw outOfRights(`You may not write "${shown(path)}".`);
}

/**
 * @param target its path in the spelling on disk, and what stands there, if anything
 * @throws AppError `out_of_scope` for what the right at the target does not include
 */
export function requireRight(
  access: Access,
  { path, existing }: { readonly path: VaultPath; readonly existing: unknown },
  act: WriteAct,
): void {
  requireAnyRight(access, path);
  if (access.rightAt(path) === true || act === 'add' || (act === 'change' && existing === null)) return;
  throw mayOnlyAdd(path);
}

/** @throws AppError `out_of_scope` for a folder of which a part may not be changed, which is not named */
export function requireWholeTree(access: Access, folder: VaultPath): void {
  if (access.mayChangeAll(folder)) return;
  throw outOfRights(`A part of "${shown(folder)}" is not yours to change, so the folder stays as it is.`);
}

/** Something that may not be seen stands where the path would lead through; what it is, is not said. */
export function onTheWay(path: VaultPath): AppError {
  return outOfRights(`"${shown(path)}" cannot be made: something on the way to it is not yours.`);
}

export function mayOnlyAdd(path: VaultPath): AppError {
  return outOfRights(`You may add to "${shown(path)}", not change what is there.`);
}

function outOfRights(reason: string): AppError {
  return new AppError('out_of_scope', `${reason} Report that; do not retry elsewhere.`);
}
