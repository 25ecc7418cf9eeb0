/**
 * The paths of all files that a link may mean, kept from one question to the next: a folder's time changes when an entry
 * comes or goes, so one that looks as it did is not listed again. Danger: a folder that changed within the tick it was
 * listed in keeps its time, so a list is believed only where it was made late enough (settled-stat.ts); and a folder that
 * cannot be read is not empty, so it is named beside the files.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import type { VaultPath } from './path.ts';
import { isSettled, type StatClock, type StatTimes, systemClock } from './settled-stat.ts';
import { type Vault, vaultGone } from './vault.ts';
import { visibleEntries } from './walk-folder.ts';
import type { LeftOut } from './walk-notes.ts';

export interface ListedFiles {
  /** In no order. */
  readonly files: ReadonlySet<VaultPath>;
  /** The folders that cannot be read: what is in them is not known. By path. */
  readonly unread: readonly (LeftOut & { readonly path: VaultPath })[];
}

export interface FileList {
  /**
   * As the disk is at some moment after the call; the same object as long as nothing changed. One call at a time.
   * @throws AppError `not_found` when the vault is not there, `unreadable` when its own folder may not be read; the file
   * system's error when it fails otherwise
   */
  current(): Promise<ListedFiles>;
}

export interface FileListOptions {
  /** Whether a file counts. */
  wants(path: VaultPath): boolean;
  /** What is left out, a name that no one could ask for among it; told by every call. */
  onProblem(problem: { readonly path: string; readonly error: unknown }): void;
  readonly clock?: StatClock;
  /** What the file system makes of a time in nanoseconds; tests name one coarser than that which they run on. */
  readonly tick?: (time: bigint) => bigint;
}

interface KnownFolder {
  readonly version: string;
  /** When this version was first seen, by the monotonic clock. */
  readonly firstSeen: number;
  /** Whether it was listed late enough for `version` to tell the next change. */
  readonly settled: boolean;
  readonly files: readonly VaultPath[];
  readonly folders: readonly VaultPath[];
  /** Why it could not be listed. */
  readonly problem?: string;
}

/** Folders looked at at once. */
const BATCH = 64;
const ROOT = '' as VaultPath;

export function createFileList(vault: Vault, options: FileListOptions): FileList {
  return new CachedFileList(vault, options);
}

class CachedFileList implements FileList {
  readonly #vault: Vault;
  readonly #options: FileListOptions;
  readonly #clock: StatClock;
  #folders = new Map<VaultPath, KnownFolder>();
  #listed: ListedFiles = { files: new Set(), unread: [] };

  constructor(vault: Vault, options: FileListOptions) {
    this.#vault = vault;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async current(): Promise<ListedFiles> {
    await this.#vault.locate(ROOT);
    const found = new Map<VaultPath, KnownFolder>();
    let changed = false;
    for (let level: readonly VaultPath[] = [ROOT]; level.length > 0; ) {
      const below: VaultPath[] = [];
      for (let at = 0; at < level.length; at += BATCH) {
        const batch = level.slice(at, at + BATCH);
        const looked = await Promise.all(batch.map((folder) => this.#lookAt(folder)));
        batch.forEach((folder, i) => {
          const known = looked[i];
          if (known === undefined) return;
          changed ||= known !== this.#folders.get(folder);
          found.set(folder, known);
          for (const one of known.folders) below.push(one);
        });
      }
      level = below;
    }
    changed ||= found.size !== this.#folders.size;
    this.#folders = found;
    if (changed) this.#listed = this.#listedIn(found);
    return this.#listed;
  }

  /** The same object where nothing changed; undefined for a folder that is gone. */
  async #lookAt(folder: VaultPath): Promise<KnownFolder | undefined> {
    const known = this.#folders.get(folder);
    try {
      const times = await this.#timesOf(folder);
      if (known?.settled && known.version === times.version) return known;
      const firstSeen = known?.version === times.version ? known.firstSeen : this.#clock.monotonic();
      const settled = isSettled(times, firstSeen, this.#clock);
      const listed = { ...(await this.#list(folder)), version: times.version, firstSeen, settled };
      return known && isSame(known, listed) ? known : listed;
    } catch (error) {
      return this.#unread(folder, known, error);
    }
  }

  /** @throws AppError and the file system's errors */
  async #list(folder: VaultPath): Promise<Pick<KnownFolder, 'files' | 'folders'>> {
    let failure: { readonly error: unknown } | undefined;
    const entries = await visibleEntries(this.#vault, folder, {
      wants: this.#options.wants,
      onProblem: ({ what, path, error }) => {
        if (what === 'folder') failure = { error };
        else this.#options.onProblem({ path, error });
      },
    });
    if (failure !== undefined) throw failure.error;
    return {
      files: entries.flatMap(({ kind, path }) => (kind === 'folder' ? [] : [path])),
      folders: entries.flatMap(({ kind, path }) => (kind === 'folder' ? [path] : [])),
    };
  }

  async #timesOf(folder: VaultPath): Promise<StatTimes & { readonly version: string }> {
    const { mtimeNs, ctimeNs, ino, dev } = await lstat(join(this.#vault.root, folder), { bigint: true });
    const tick = this.#options.tick ?? ((time) => time);
    const [mtime, ctime] = [tick(mtimeNs), tick(ctimeNs)];
    return { mtime, ctime, version: `${mtime}:${ctime}:${ino}:${dev}` };
  }

  /** @throws where it is the root that cannot be read: of what is in the vault nothing is known then */
  #unread(folder: VaultPath, known: KnownFolder | undefined, error: unknown): KnownFolder | undefined {
    const code = String((error as { code?: unknown }).code);
    if (folder === ROOT) throw rootError(code, error);
    // The last two: something else stands there now, which the folder above will show.
    if (['ENOENT', 'not_found', 'ENOTDIR', 'invalid_path'].includes(code)) return undefined;
    this.#options.onProblem({ path: folder, error });
    const problem = isForbidden(code) ? 'the server has no permission to read the folder' : 'the folder cannot be read';
    if (known?.problem === problem) return known;
    return { version: '', firstSeen: 0, settled: false, files: [], folders: [], problem };
  }

  #listedIn(folders: ReadonlyMap<VaultPath, KnownFolder>): ListedFiles {
    const files = new Set<VaultPath>();
    for (const known of folders.values()) for (const file of known.files) files.add(file);
    const unread = [...folders].flatMap(([path, { problem }]) =>
      problem === undefined ? [] : [{ path, reason: problem }],
    );
    unread.sort((a, b) => (a.path < b.path ? -1 : 1));
    const before = this.#listed;
    const same = files.size === before.files.size && [...files].every((file) => before.files.has(file));
    return same && JSON.stringify(unread) === JSON.stringify(before.unread) ? before : { files, unread };
  }
}

function isForbidden(code: string): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'unreadable';
}

function rootError(code: string, cause: unknown): unknown {
  if (code === 'ENOENT' || code === 'not_found') return vaultGone(cause);
  if (!isForbidden(code)) return cause;
  const message =
    'The server has no permission to read the vault’s own folder: grant it read and search permission there.';
  return new AppError('unreadable', message, { cause });
}

/** A folder that is not settled yet is listed again and again: only what it holds says whether anything changed. */
function isSame(a: KnownFolder, b: KnownFolder): boolean {
  if (a.problem !== undefined || a.version !== b.version || a.settled !== b.settled) return false;
  return isEqual(a.files, b.files) && isEqual(a.folders, b.folders);
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
