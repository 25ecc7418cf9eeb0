/** What a move leaves for a person, as its answer names it. */

/** A link, a whole file, or what a folder took along unseen. */
export interface LeftBehind {
  /** Where the file is after the move. */
  readonly path: string;
  /** 1-based; null when the file could not be looked at. */
  readonly line: number | null;
  readonly reason: string;
}
