/**
 * Which of several files Obsidian opens for a link that could mean each of them. Pure. Danger: it is a guess that changes
 * as files come and go, so it is only ever told; nothing is written by it.
 *
 * The order is what people found out by asking `getFirstLinkpathDest` of Obsidian 1.13, which documents none: a file in the
 * linking note's own folder (a folder above counts for nothing), else the shortest path, counted in characters. Which of two
 * equally short ones it takes is not known; here the first by code unit.
 */
import { parentOf, pathKey, type VaultPath } from '../path.ts';

/**
 * @param candidates what `resolveLink` found: at least one
 * @param from the path of the linking file
 */
export function obsidianChoice(candidates: readonly VaultPath[], from: VaultPath): VaultPath {
  const folder = pathKey(parentOf(from));
  const beside = candidates.filter((path) => pathKey(parentOf(path)) === folder);
  const [first, ...others] = beside.length > 0 ? beside : candidates;
  if (first === undefined) throw new Error('There is nothing to choose from.');
  return others.reduce((best, path) => (comesBefore(path, best) ? path : best), first);
}

function comesBefore(path: VaultPath, other: VaultPath): boolean {
  return path.length === other.length ? path < other : path.length < other.length;
}
