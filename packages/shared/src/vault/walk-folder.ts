/**
 * Walks folders of the vault, giving every visible entry with its stat. Danger: the tree changes under the walk and
 * may be huge, so each folder is opened anew without following links, what vanished meanwhile is passed over, and
 * stats are taken a batch at a time so that nothing else waits long.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder } from './open-leaf.ts';
import { type FileKind, fileKindOf, pathFromDisk, type VaultPath } from './path.ts';
import { type Vault, type VaultStat, vaultStat } from './vault.ts';

/** Stats asked for at once: enough to keep the file system busy, few enough to leave others a turn. */
const STAT_BATCH = 64;

export interface FolderItem {
  readonly path: VaultPath;
  readonly kind: FileKind | 'folder';
  readonly stat: VaultStat;
}

/** Something the walk passed over. */
export interface WalkProblem {
  /** A folder that cannot be read, an entry that cannot be looked at, or a name that no one could ask for. */
  readonly what: 'folder' | 'entry' | 'name';
  /** The folder that is therefore not given whole. */
  readonly folder: VaultPath;
  /** The folder, or the path with the name as far as it can be shown. */
  readonly path: string;
  readonly reason: string;
  readonly error: unknown;
}

/** The reason of a problem with a name. */
export const UNNAMEABLE_REASON =
  'the name holds a backslash or a control character or is not valid UTF-8, so no one could ask for it';

export interface WalkFolderOptions {
  /** Whether to go into a folder; it is given out either way. */
  enter(path: VaultPath): boolean;
  /** Whether a file is wanted at all; spares its stat. Default: every one. */
  wants?(path: VaultPath, kind: FileKind): boolean;
  onProblem?(problem: WalkProblem): void;
}

/** Entries below a folder, depth first, folders before files, each by name in code unit order. */
export async function* walkFolder(
  vault: Vault,
  folder: VaultPath,
  options: WalkFolderOptions,
): AsyncGenerator<FolderItem> {
  // A stack of what is left in each open folder, so that depth costs no recursion.
  const stack: AsyncGenerator<FolderItem>[] = [folderItems(vault, folder, options)];
  for (let items = stack.at(-1); items !== undefined; items = stack.at(-1)) {
    const next = await items.next();
    if (next.done) {
      stack.pop();
      continue;
    }
    yield next.value;
    if (next.value.kind === 'folder' && options.enter(next.value.path)) {
      stack.push(folderItems(vault, next.value.path, options));
    }
  }
}

export interface FolderEntryName {
  readonly name: string;
  readonly path: VaultPath;
  readonly kind: FileKind | 'folder';
}

async function* folderItems(vault: Vault, folder: VaultPath, options: WalkFolderOptions): AsyncGenerator<FolderItem> {
  const entries = await visibleEntries(vault, folder, options);
  for (let at = 0; at < entries.length; at += STAT_BATCH) {
    for (const item of await statBatch(vault, folder, entries.slice(at, at + STAT_BATCH), options)) yield item;
  }
}

/** What one folder holds, without stats: folders before files, each by name. Empty when it cannot be read, which is told. */
export async function visibleEntries(
  vault: Vault,
  folder: VaultPath,
  options: Pick<WalkFolderOptions, 'wants' | 'onProblem'>,
): Promise<FolderEntryName[]> {
  let dirents: Dirent[];
  try {
    const opened = await openFolder(vault, folder);
    try {
      dirents = await readdir(opened.path, { withFileTypes: true });
    } finally {
      await opened.close();
    }
  } catch (error) {
    options.onProblem?.({ what: 'folder', folder, path: folder, reason: 'the folder cannot be read', error });
    return [];
  }
  const entries: FolderEntryName[] = [];
  for (const dirent of dirents) {
    if (dirent.name.startsWith('.') || !(dirent.isDirectory() || dirent.isFile())) continue;
    const path = pathFromDisk(folder, dirent.name);
    if (path === null) {
      const place = folder === '' ? dirent.name : `${folder}/${dirent.name}`;
      const reason = UNNAMEABLE_REASON;
      options.onProblem?.({ what: 'name', folder, path: place, reason, error: new Error(reason) });
      continue;
    }
    const kind = dirent.isDirectory() ? 'folder' : fileKindOf(path, vault.docSuffixes);
    if (kind === 'folder' || (options.wants?.(path, kind) ?? true)) entries.push({ name: dirent.name, path, kind });
  }
  return entries.sort(byKindThenName);
}

function byKindThenName(a: FolderEntryName, b: FolderEntryName): number {
  if (a.kind !== b.kind && (a.kind === 'folder' || b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}

async function statBatch(
  vault: Vault,
  folder: VaultPath,
  entries: readonly FolderEntryName[],
  options: WalkFolderOptions,
): Promise<FolderItem[]> {
  const passedOver = (path: string, error: unknown): null => {
    if (!isGone(error)) options.onProblem?.({ what: 'entry', folder, path, reason: 'it cannot be looked at', error });
    return null;
  };
  const opened = await openFolder(vault, folder).catch((error: unknown) => passedOver(folder, error));
  if (opened === null) return [];
  try {
    const stats = await Promise.all(
      entries.map(({ name, path }) =>
        lstat(join(opened.path, name)).catch((error: unknown) => passedOver(path, error)),
      ),
    );
    return entries.flatMap(({ path, kind }, i) => {
      const found = stats[i];
      return found && isStill(kind, found) ? [{ path, kind, stat: vaultStat(found) }] : [];
    });
  } finally {
    await opened.close();
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOENT' || code === 'not_found';
}

function isStill(kind: FolderEntryName['kind'], stats: Stats): boolean {
  return kind === 'folder' ? stats.isDirectory() : stats.isFile();
}
