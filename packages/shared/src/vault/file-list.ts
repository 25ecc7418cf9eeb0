/**
 * The paths of all files that a link may mean, kept from one question to the next: a folder's time changes when an entry
 * comes or goes, so one that looks as it did is not listed again. Danger: a folder that changed within the tick it was
 * listed in keeps its time, so a list is believed only once its folder has been still for a while; on a file system whose
 * clock lags by more than that, a file that comes in that very moment is missed until something else comes or goes there.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { VaultPath } from './path.ts';
import type { Vault } from './vault.ts';
import { visibleEntries } from './walk-folder.ts';

export interface ListedFiles {
  /** In no order. The same object as long as nothing came or went. */
  readonly files: ReadonlySet<VaultPath>;
}

export interface FileList {
  /** As the disk is at some moment after the call. One call at a time. */
  current(): Promise<ListedFiles>;
}

export interface FileListOptions {
  /** Whether a file counts. */
  wants(path: VaultPath): boolean;
  /** What could not be listed is left out, and looked at again by the next call. */
  onProblem(problem: { readonly path: string; readonly error: unknown }): void;
  /** Milliseconds since 1970; tests pass their own. */
  readonly now?: () => number;
}

interface KnownFolder {
  readonly version: string;
  /** Whether its time is long enough ago for `version` to tell the next change. */
  readonly settled: boolean;
  readonly files: readonly VaultPath[];
  readonly folders: readonly VaultPath[];
}

/** The coarsest time stamps in use are those of FAT, two seconds apart. */
const SETTLED_AFTER_MS = 2_500;
/** Folders looked at at once. */
const BATCH = 64;

export function createFileList(vault: Vault, options: FileListOptions): FileList {
  return new CachedFileList(vault, options);
}

class CachedFileList implements FileList {
  readonly #vault: Vault;
  readonly #options: FileListOptions;
  readonly #now: () => number;
  #folders = new Map<VaultPath, KnownFolder>();
  #listed: ListedFiles = { files: new Set() };

  constructor(vault: Vault, options: FileListOptions) {
    this.#vault = vault;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  async current(): Promise<ListedFiles> {
    const found = new Map<VaultPath, KnownFolder>();
    let changed = false;
    for (let level: readonly VaultPath[] = ['' as VaultPath]; level.length > 0; ) {
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
    if (changed) this.#listed = this.#withFilesOf(found.values());
    return this.#listed;
  }

  /** The same object where nothing changed; undefined for a folder that is gone or may not be read. */
  async #lookAt(folder: VaultPath): Promise<KnownFolder | undefined> {
    const known = this.#folders.get(folder);
    const version = await this.#versionOf(folder);
    if (version === null) return undefined;
    if (known?.settled && known.version === version.key) return known;
    const settled = this.#now() - version.changedMs > SETTLED_AFTER_MS;
    let whole = true;
    const entries = await visibleEntries(this.#vault, folder, {
      wants: this.#options.wants,
      onProblem: ({ what, path, error }) => {
        if (what === 'folder') whole = false;
        this.#options.onProblem({ path, error });
      },
    });
    const files = entries.flatMap(({ kind, path }) => (kind === 'folder' ? [] : [path]));
    const folders = entries.flatMap(({ kind, path }) => (kind === 'folder' ? [path] : []));
    const listed = { version: version.key, settled: settled && whole, files, folders };
    const same = known && isSame(known.files, files) && isSame(known.folders, folders);
    // A folder that is not settled yet is listed again and again: only what it holds says whether anything changed.
    return same && known.settled === listed.settled && known.version === listed.version ? known : listed;
  }

  async #versionOf(folder: VaultPath): Promise<{ readonly key: string; readonly changedMs: number } | null> {
    try {
      const { mtimeMs, ctimeMs, ino, dev } = await lstat(join(this.#vault.root, folder));
      return { key: `${mtimeMs}:${ctimeMs}:${ino}:${dev}`, changedMs: Math.max(mtimeMs, ctimeMs) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.onProblem({ path: folder, error });
      return null;
    }
  }

  #withFilesOf(folders: Iterable<KnownFolder>): ListedFiles {
    const files = new Set<VaultPath>();
    for (const known of folders) for (const file of known.files) files.add(file);
    const before = this.#listed.files;
    const same = files.size === before.size && [...files].every((file) => before.has(file));
    return same ? this.#listed : { files };
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
