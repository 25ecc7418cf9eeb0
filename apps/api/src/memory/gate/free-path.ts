/**
 * The path that a new note of the gate gets: `<namespace>/<slug>.md`, then with -2, -3 and so on behind it. Danger: two that are
 * given the same path at once must not both write it. Those of one process take turns by name; for all others the writer lets
 * one of them win, and the loser comes here again.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { visibleEntries } from '@vault-mcp/shared/vault/walk-folder';
import type { GatePorts } from '../ports.ts';
import { slugify } from '../wiki/slug.ts';

const MAX_SUFFIX = 1_000;

/** What a title without a letter or digit is filed as. */
const NAMELESS = 'note';

export function slugOf(title: string): string {
  return slugify(title) || NAMELESS;
}

/**
 * @param text of the note that is to stand there
 * @returns the first free one; null when all of them are taken
 * @throws AppError whatever the writer refuses a new note there for: `out_of_scope`, `invalid_path`, `note_too_large`, …
 */
export async function freePath(
  ports: Pick<GatePorts, 'vault' | 'writer' | 'caller'>,
  namespace: VaultPath,
  slug: string,
  text: string,
): Promise<VaultPath | null> {
  const { vault, writer, caller } = ports;
  const planned = async (path: VaultPath) =>
    (await writer.replace(path, () => text, { mustNotExist: true, dryRun: true, scope: caller.scope, act: 'add' }))
      .path;
  const folder = await folderThere(vault, namespace);
  if (folder === null) {
    try {
      return await planned(notePath(namespace, slug));
    } catch (error) {
      // Another process may have made the folder meanwhile, and a note of that name in it.
      if (!isTaken(error) || (await folderThere(vault, namespace)) === null) throw error;
      return freePath(ports, namespace, slug, text);
    }
  }
  const taken = new Set((await visibleEntries(vault, folder, {})).map(({ name }) => pathKey(name)));
  for (let suffix = 1; suffix <= MAX_SUFFIX; suffix++) {
    const name = suffix === 1 ? slug : `${slug}-${suffix}`;
    if (taken.has(pathKey(`${name}.md`)) || isDenied(vault, folder, name)) continue;
    try {
      return await planned(notePath(folder, name));
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
  return null;
}

/** Where the note could stand in that folder but for a rule on its very path. */
function isDenied({ access }: Vault, folder: VaultPath, name: string): boolean {
  return access.rightAt(folder) !== false && access.rightAt(notePath(folder, name)) === false;
}

/** By what a listing does not show, such as a symbolic link. */
function isTaken(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'already_exists' || error.code === 'invalid_path');
}

/** Without a suffix. */
export function notePath(folder: VaultPath, slug: string): VaultPath {
  return (folder === '' ? `${slug}.md` : `${folder}/${slug}.md`) as VaultPath;
}

/** In the spelling on disk; null when it is to be made yet, or something else stands there. */
export async function folderThere(vault: Vault, folder: VaultPath): Promise<VaultPath | null> {
  try {
    const located = await vault.locate(folder, { hints: false });
    return located.kind === 'folder' ? located.path : null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const turns = new Map<string, Promise<unknown>>();

/** Does some work when nobody else in this process is at work on notes of that name. It must not ask for another turn. */
export async function inTurn<T>(vault: Vault, namespace: VaultPath, slug: string, work: () => Promise<T>): Promise<T> {
  const key = `${vault.root}\0${pathKey(notePath(namespace, slug))}`;
  const before = turns.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}
