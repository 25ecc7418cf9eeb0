/**
 * What stands in each folder of a walk, kept from one to the next: a folder's time changes when an entry comes or goes, so
 * one that looks as it did is neither opened nor read. Danger: one that changed within the tick it was listed in keeps its
 * time, so a listing is believed only where it was made late enough (settled-stat.ts). Works synchronously; see walk-notes.ts.
 */
import type { BigIntStats, Dirent } from 'node:fs';
import { fileKindOf, pathFromDisk, type VaultPath } from './path.ts';
import { isSettled, type StatClock, type StatTimes } from './settled-stat.ts';

/** A folder or a note, in the place of its path. */
export interface ListedEntry {
  readonly name: string;
  /** Null where nobody can name it. */
  readonly path: VaultPath | null;
  readonly isFolder: boolean;
}

interface Version extends StatTimes {
  readonly dev: bigint;
  readonly ino: bigint;
}

interface Kept {
  readonly version: Version;
  /** When this version was first seen, by the monotonic clock. */
  readonly firstSeen: number;
  readonly settled: boolean;
  readonly entries: readonly ListedEntry[];
  /** The last walk that came here. */
  walk: number;
}

export interface ListingOptions {
  readonly clock: StatClock;
  /** What the file system makes of a time in nanoseconds. */
  readonly tick?: ((time: bigint) => bigint) | undefined;
}

export class FolderListings {
  readonly #clock: StatClock;
  readonly #tick: (time: bigint) => bigint;
  readonly #kept = new Map<VaultPath, Kept>();
  #walks = 0;

  constructor({ clock, tick = (time) => time }: ListingOptions) {
    this.#clock = clock;
    this.#tick = tick;
  }

  beginWalk(): void {
    this.#walks++;
  }

  /** Forgets the folders below one that the walk did not come to. */
  endWalk(folder: VaultPath): void {
    for (const [path, { walk }] of this.#kept) {
      if (walk !== this.#walks && (folder === '' || path.startsWith(`${folder}/`))) this.#kept.delete(path);
    }
  }

  /** What stands there, if that is known of a folder with this stat. */
  known(folder: VaultPath, stat: BigIntStats): readonly ListedEntry[] | null {
    const kept = this.#kept.get(folder);
    if (kept?.settled !== true || !this.#isVersion(stat, kept.version)) return null;
    kept.walk = this.#walks;
    return kept.entries;
  }

  /** @param stat of the folder before it was read */
  keep(folder: VaultPath, stat: BigIntStats, dirents: readonly Dirent[]): readonly ListedEntry[] {
    const before = this.#kept.get(folder);
    const version = this.#versionOf(stat);
    const firstSeen = before && this.#isVersion(stat, before.version) ? before.firstSeen : this.#clock.monotonic();
    const settled = isSettled(version, firstSeen, this.#clock);
    const entries = entriesOf(folder, dirents);
    this.#kept.set(folder, { version, firstSeen, settled, entries, walk: this.#walks });
    return entries;
  }

  #isVersion(stat: BigIntStats, { dev, ino, mtime, ctime }: Version): boolean {
    if (stat.ino !== ino || stat.dev !== dev || !stat.isDirectory()) return false;
    return this.#tick(stat.mtimeNs) === mtime && this.#tick(stat.ctimeNs) === ctime;
  }

  #versionOf({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): Version {
    return { dev, ino, mtime: this.#tick(mtimeNs), ctime: this.#tick(ctimeNs) };
  }
}

/** Folders and notes: no dotted names, no symbolic links; a folder stands where the paths of what is in it do. */
export function entriesOf(folder: VaultPath, dirents: readonly Dirent[]): readonly ListedEntry[] {
  return dirents
    .filter((dirent) => !dirent.name.startsWith('.') && (dirent.isDirectory() || isNote(dirent)))
    .map((dirent) => ({
      name: dirent.name,
      path: pathFromDisk(folder, dirent.name),
      isFolder: dirent.isDirectory(),
    }))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function isNote(dirent: Dirent): boolean {
  return dirent.isFile() && fileKindOf(dirent.name, []) === 'note';
}

function placeOf({ name, isFolder }: ListedEntry): string {
  return isFolder ? `${name}/` : name;
}
