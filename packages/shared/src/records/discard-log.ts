/**
 * The discard log as its users see it. Danger: it is the last place where somebody's text stands, so `append` has returned
 * only when its entry is on the disk; whoever gives up a text does so after that.
 */
import type { Discard, DiscardSummary, NewDiscard } from './discard-lines.ts';

export interface DiscardRange {
  /** About so many entries: those with one number stay together. */
  readonly limit: number;
  /** Only entries with a smaller number. */
  readonly beforeN?: number | undefined;
}

export interface DiscardPage {
  /** Newest first. */
  readonly entries: readonly DiscardSummary[];
  /** For `beforeN`: where the next page begins; null at the end. */
  readonly next: number | null;
  /** Lines that cannot be read, in all files. */
  readonly damaged: number;
}

export interface FoundDiscard {
  readonly discard: Discard;
  /** The note that it became again; null when it was not restored. */
  readonly restored: string | null;
}

export interface DiscardStats {
  /** Entries, the restored ones included. */
  readonly count: number;
  readonly restored: number;
  /** Lines that cannot be read. */
  readonly damaged: number;
}

export interface DiscardLog {
  /**
   * Writes an entry to the disk, unless one with its id is there already.
   *
   * @returns its number
   * @throws AppError `insufficient_storage`, `out_of_scope` (no permission, a read-only mount), `invalid_path` (something
   * else stands in the log's place), `not_found` (the vault is not there), `locked`. Nothing is written then
   */
  append(entry: NewDiscard): Promise<number>;
  /** @throws AppError `not_found` when the vault is not there, like `show` and `stats` */
  list(range: DiscardRange): Promise<DiscardPage>;
  /** @returns null when no entry has that number */
  show(n: number): Promise<FoundDiscard | null>;
  /** Writes down that an entry is a note again. @throws like append; `not_found` when no entry has that number */
  markRestored(n: number, path: string): Promise<void>;
  stats(): Promise<DiscardStats>;
}
