/**
 * What is derived from each note, remembered for as long as the file's stat is the same: a question about every note
 * then costs a look at each, not a read. Danger: a stat is no proof. Two writes within one tick of a file system's clock
 * leave the same times, and may leave the same size; so a note is read again each time until a read came so long after
 * its stat was first seen that no write since can have left that stat (settled-stat.ts). Works synchronously; see walk-notes.ts.
 */
import type { BigIntStats } from 'node:fs';
import { AppError } from '../errors.ts';
import { FolderListings } from './folder-listings.ts';
import { decodeHead, decodeNote } from './note/text.ts';
import type { VaultPath } from './path.ts';
import { isSettled, type StatClock, systemClock } from './settled-stat.ts';
import { isGone, type LeftOut, type MetNote, type OpenNote, visitFiles, walkNotes } from './walk-notes.ts';

/** Most that is remembered, in characters of what `weight` counts; what is beyond is read each time. */
const MAX_WEIGHT = 24 * 1024 * 1024;
/** A longer note's beginning: what nearly all frontmatter fits into. */
const HEAD_BYTES = 8 * 1024;

export interface NoteCacheOptions<T> {
  /** What is wanted of a note. Must not throw. */
  derive(text: string, path: VaultPath): T;
  /** The same of a longer note's beginning, whole lines or not; null where it takes all of it. */
  deriveFromHead?(head: string, path: VaultPath): T | null;
  /** How much memory it takes to remember, roughly, in characters. */
  weight(derived: T): number;
  readonly maxWeight?: number;
  readonly clock?: StatClock;
  /** What the file system makes of a time in nanoseconds; tests name one coarser than that which they run on. */
  readonly tick?: (time: bigint) => bigint;
}

export interface NoteCache<T> {
  /**
   * What is derived of every note below a folder as it is now, in the order of paths by code unit.
   * @throws AppError and others: what `walkNotes` throws
   */
  look(folder: VaultPath, options: LookOptions): Looked<T>;
  /** The same of files that are named, in no order; all others are forgotten. */
  lookAt(paths: readonly VaultPath[], options: Pick<LookOptions, 'maxBytes'>): Looked<T>;
}

export interface LookOptions {
  /** Larger notes are left out; 0 = no limit. */
  readonly maxBytes: number;
  /** Notes that are nobody's business: neither given nor said to be left out. */
  isIgnored(path: string): boolean;
}

export interface Looked<T> {
  /** The same `derived` for as long as it is remembered. */
  readonly notes: readonly { readonly path: VaultPath; readonly derived: T }[];
  /** Notes and folders that could not be read. */
  readonly leftOut: readonly LeftOut[];
}

interface Version {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtime: bigint;
  readonly ctime: bigint;
}

interface Remembered<T> {
  readonly version: Version;
  readonly derived: T;
  /** When this version was first seen, by the monotonic clock. */
  readonly firstSeen: number;
  /** Whether the read came late enough for the version to stand for the bytes. */
  readonly settled: boolean;
  /** The last look that met the note. */
  look: number;
}

export function createNoteCache<T>(root: string, options: NoteCacheOptions<T>): NoteCache<T> {
  const cache = new Cache<T>(options);
  const listings = new FolderListings({ clock: options.clock ?? systemClock, tick: options.tick });
  const gather = (maxBytes: number) => {
    const notes: { path: VaultPath; derived: T }[] = [];
    const leftOut: LeftOut[] = [];
    const onNote = (note: MetNote): void => {
      const found = cache.find(note, maxBytes);
      if (found === 'gone') return;
      if ('reason' in found) leftOut.push({ path: note.path, reason: found.reason });
      else notes.push({ path: note.path, derived: found.derived });
    };
    return { notes, leftOut, visitor: { onNote, onLeftOut: (what: LeftOut) => leftOut.push(what) } };
  };
  return {
    look(folder, { maxBytes, isIgnored }) {
      const { notes, leftOut, visitor } = gather(maxBytes);
      cache.beginLook();
      walkNotes(root, folder, { wants: (path) => !isIgnored(path), ...visitor }, listings);
      cache.endLook(folder);
      return { notes, leftOut };
    },
    lookAt(paths, { maxBytes }) {
      const { notes, leftOut, visitor } = gather(maxBytes);
      cache.beginLook();
      visitFiles(root, paths, visitor);
      cache.endLook('' as VaultPath);
      return { notes, leftOut };
    },
  };
}

class Cache<T> {
  private readonly options: NoteCacheOptions<T>;
  private readonly clock: StatClock;
  private readonly entries = new Map<string, Remembered<T>>();
  private weight = 0;
  private looks = 0;

  constructor(options: NoteCacheOptions<T>) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
  }

  beginLook(): void {
    this.looks++;
  }

  /** Forgets what the look did not meet below its folder. */
  endLook(folder: VaultPath): void {
    for (const [path, { look }] of this.entries) {
      if (look !== this.looks && (folder === '' || path.startsWith(`${folder}/`))) this.forget(path);
    }
  }

  find(note: MetNote, maxBytes: number): { readonly derived: T } | { readonly reason: string } | 'gone' {
    if (maxBytes > 0 && note.stat.size > maxBytes) return tooLarge(maxBytes);
    const known = this.entries.get(note.path);
    if (known?.settled && this.isVersion(note.stat, known.version)) {
      known.look = this.looks;
      return known;
    }
    try {
      return this.read(note, known, maxBytes);
    } catch (error) {
      if (isGone(error)) return 'gone';
      return { reason: reasonOf(error) };
    }
  }

  private read(note: MetNote, known: Remembered<T> | undefined, maxBytes: number) {
    return note.open((file) => {
      const seen = this.sightOf(file.stat, known);
      const derived = this.derived(file, note.path, maxBytes);
      if (derived === null) return tooLarge(maxBytes);
      const entry = { ...seen, ...derived, look: this.looks };
      this.remember(note.path, entry);
      return entry;
    });
  }

  /** Null for a file that is larger than it may be. */
  private derived(file: OpenNote, path: VaultPath, maxBytes: number): { readonly derived: T } | null {
    const { derive, deriveFromHead } = this.options;
    if (maxBytes > 0 && file.stat.size > maxBytes) return null;
    if (deriveFromHead !== undefined && file.stat.size > HEAD_BYTES) {
      const head = decodeHead(file.head(HEAD_BYTES));
      const derived = head === null ? null : deriveFromHead(head, path);
      if (derived !== null) return { derived };
    }
    const bytes = file.whole(maxBytes);
    return bytes === null ? null : { derived: derive(decodeNote(bytes).text, path) };
  }

  /** What can be said of a version before the file is read: whether what comes is what it will stand for. */
  private sightOf(stat: BigIntStats, known: Remembered<T> | undefined) {
    const version = this.versionOf(stat);
    const firstSeen = known && this.isVersion(stat, known.version) ? known.firstSeen : this.clock.monotonic();
    return { version, firstSeen, settled: isSettled(version, firstSeen, this.clock) };
  }

  /** Nothing is allocated for it, since most of what a look does is this. */
  private isVersion(stat: BigIntStats, { dev, ino, size, mtime, ctime }: Version): boolean {
    if (stat.ino !== ino || stat.size !== size || stat.dev !== dev) return false;
    return this.tick(stat.mtimeNs) === mtime && this.tick(stat.ctimeNs) === ctime;
  }

  private versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Version {
    return { dev, ino, size, mtime: this.tick(mtimeNs), ctime: this.tick(ctimeNs) };
  }

  private tick(time: bigint): bigint {
    return this.options.tick === undefined ? time : this.options.tick(time);
  }

  private remember(path: string, entry: Remembered<T>): void {
    this.forget(path);
    const weight = this.options.weight(entry.derived);
    if (this.weight + weight > (this.options.maxWeight ?? MAX_WEIGHT)) return;
    this.weight += weight;
    this.entries.set(path, entry);
  }

  private forget(path: string): void {
    const entry = this.entries.get(path);
    if (entry === undefined) return;
    this.weight -= this.options.weight(entry.derived);
    this.entries.delete(path);
  }
}

function tooLarge(maxBytes: number): { reason: string } {
  return { reason: `the note is larger than ${maxBytes} bytes (vault.note_max_bytes)` };
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof AppError) throw error;
  return code === 'EACCES' || code === 'EPERM'
    ? 'the server has no permission to read it'
    : `it cannot be read (${code})`;
}
