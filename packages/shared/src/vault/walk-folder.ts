/**
 * Walks folders of the vault, giving every visible entry with its stat. Danger: the tree changes under the walk and
 * may be huge, so each folder is opened anew without following links, what vanished meanwhile is passed over, and
 * stats are taken a batch at a time so that nothing else waits long.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { maySee } from './access.ts';
import { type OpenFolder, openFolder } from './open-leaf.ts';
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
  let first: FolderItem[] = [];
  // Most folders are small: what is opened to be listed is not opened again for their stats.
  const entries = await openedEntries(vault, folder, options, async (listed, opened) => {
    first = await statsIn(opened, folder, listed.slice(0, STAT_BATCH), options);
  });
  yield* first;
  for (let at = STAT_BATCH; at < entries.length; at += STAT_BATCH) {
    yield* await statBatch(vault, folder, entries.slice(at, at + STAT_BATCH), options);
  }
}

/**
 * What one folder holds of what the vault's caller may read, without stats: folders before files, each by name. Empty when
 * it cannot be read, which is told.
 */
export function visibleEntries(
  vault: Vault,
  folder: VaultPath,
  options: Pick<WalkFolderOptions, 'wants' | 'onProblem'>,
): Promise<FolderEntryName[]> {
  return openedEntries(vault, folder, options, async () => {});
}

/** @param whileOpen is given them while the folder is still open */
async function openedEntries(
  vault: Vault,
  folder: VaultPath,
  options: Pick<WalkFolderOptions, 'wants' | 'onProblem'>,
  whileOpen: (entries: readonly FolderEntryName[], opened: OpenFolder) => Promise<void>,
): Promise<FolderEntryName[]> {
  const unreadable = (error: unknown): null => {
    options.onProblem?.({ what: 'folder', folder, path: folder, reason: 'the folder cannot be read', error });
    return null;
  };
  const opened = await openFolder(vault, folder).catch(unreadable);
  if (opened === null) return [];
  try {
    const dirents = await readdir(opened.path, { withFileTypes: true }).catch(unreadable);
    if (dirents === null) return [];
    const entries = visibleOf(dirents, vault, folder, options);
    await whileOpen(entries, opened);
    return entries;
  } finally {
    await opened.close();
  }
}

function visibleOf(
  dirents: readonly Dirent[],
  vault: Vault,
  folder: VaultPath,
  options: Pick<WalkFolderOptions, 'wants' | 'onProblem'>,
): FolderEntryName[] {
  const entries = dirents.flatMap((dirent) => {
    if (dirent.name.startsWith('.') || !(dirent.isDirectory() || dirent.isFile())) return [];
    const path = pathFromDisk(folder, dirent.name);
    if (path !== null) return visibleEntry(vault, { name: dirent.name, path, isFolder: dirent.isDirectory() }, options);
    if (vault.access.mayRead(folder)) options.onProblem?.(unnameable(folder, dirent.name));
    return [];
  });
  return entries.sort(byKindThenName);
}

function unnameable(folder: VaultPath, name: string): WalkProblem {
  const reason = UNNAMEABLE_REASON;
  return { what: 'name', folder, path: folder === '' ? name : `${folder}/${name}`, reason, error: new Error(reason) };
}

function visibleEntry(
  { access, docSuffixes }: Vault,
  { name, path, isFolder }: { readonly name: string; readonly path: VaultPath; readonly isFolder: boolean },
  { wants }: Pick<WalkFolderOptions, 'wants'>,
): FolderEntryName[] {
  if (!maySee(access, path, isFolder)) return [];
  if (isFolder) return [{ name, path, kind: 'folder' }];
  const kind = fileKindOf(path, docSuffixes);
  return (wants?.(path, kind) ?? true) ? [{ name, path, kind }] : [];
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
  const opened = await openFolder(vault, folder).catch((error: unknown) => passOver(folder, folder, error, options));
  if (opened === null) return [];
  try {
    return await statsIn(opened, folder, entries, options);
  } finally {
    await opened.close();
  }
}

async function statsIn(
  opened: OpenFolder,
  folder: VaultPath,
  entries: readonly FolderEntryName[],
  options: WalkFolderOptions,
): Promise<FolderItem[]> {
  const stats = await Promise.all(
    entries.map(({ name, path }) =>
      lstat(join(opened.path, name)).catch((error: unknown) => passOver(folder, path, error, options)),
    ),
  );
  return entries.flatMap(({ path, kind }, i) => {
    const found = stats[i];
    return found && isStill(kind, found) ? [{ path, kind, stat: vaultStat(found) }] : [];
  });
}

function passOver(folder: VaultPath, path: string, error: unknown, { onProblem }: WalkFolderOptions): null {
  if (!isGone(error)) onProblem?.({ what: 'entry', folder, path, reason: 'it cannot be looked at', error });
  return null;
}

function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOENT' || code === 'not_found';
}

function isStill(kind: FolderEntryName['kind'], stats: Stats): boolean {
  return kind === 'folder' ? stats.isDirectory() : stats.isFile();
}
