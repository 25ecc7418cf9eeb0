/**
 * What a link may mean to who sees the whole vault, told for who sees a part of it. Pure. Danger: it decides by the text of
 * the link and the rules alone, never by what a hidden file is called; so it says the same whether there is one.
 */
import type { VaultPath } from '../path.ts';
import { attemptsFor, type LinkTarget, parseTarget } from './resolve-link.ts';
import type { VaultNames } from './vault-names.ts';

/** Whether something at a path is there for the caller, by the rules. */
export type MayRead = (path: string) => boolean;

/**
 * Whether a link leads to the same file, or as surely nowhere, for everybody: each path that it is tried as before it is
 * found is readable. What is found by a name, or by the end of a path, a hidden file may be as well.
 *
 * @param names those that the caller sees
 */
export function meansTheSameToAll(link: LinkTarget, from: VaultPath, names: VaultNames, mayRead: MayRead): boolean {
  for (const { via, name } of attemptsFor(link, from)) {
    if (via === 'suffix' || via === 'stem' || !mayRead(name)) return false;
    if (names.byPath(name).length > 0) return true;
  }
  return true;
}

/** Whether the link could be the way from its note to something hidden. */
export function mayLeadBesideUnseen(link: LinkTarget, from: VaultPath, mayRead: MayRead): boolean {
  return attemptsFor(link, from).some(({ via, name }) => via === 'relative' && !mayRead(name));
}

/** The path that a link names which says by `./` or `../` that it starts at its note; null for any other. */
export function pathFromNote(link: LinkTarget, from: VaultPath): VaultPath | null {
  if (parseTarget(link.target)?.start !== 'folder') return null;
  return (attemptsFor(link, from)[0]?.name ?? null) as VaultPath | null;
}
