/**
 * The index's rows of notes, followed by what becomes of them, and which notes therefore have to be looked at again.
 * Danger: an update may fail after the rows were read and before the graph has them, so a note stays on the list until
 * whoever looked at it says so.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { FileVersion, NoteMark } from '@vault-mcp/shared/index-db/rows';
import type { VaultPath } from '@vault-mcp/shared/vault/path';

export type NoteReader = Pick<IndexReader, 'generation' | 'noteChanges' | 'linksOf' | 'quarantined'>;

export class NoteRows {
  readonly #reader: NoteReader;
  readonly #rows = new Map<VaultPath, FileVersion>();
  readonly #stale = new Set<VaultPath>();
  #mark: NoteMark | null = null;
  #generation: number | null = null;

  constructor(reader: NoteReader) {
    this.#reader = reader;
  }

  /**
   * Reads what changed since the last time.
   * @returns the generation that the rows are of, or of one a moment later
   */
  follow(): number {
    // Asked first: a row that changes from here on is found by the next time.
    const generation = this.#reader.generation();
    if (generation === this.#generation) return generation;
    const { mark, whole, rows, left } = this.#reader.noteChanges(this.#mark, (path) =>
      this.#rows.has(path as VaultPath),
    );
    if (whole || left !== null) this.#forget((id) => whole || left?.has(id) === false);
    for (const row of rows) {
      this.#rows.set(row.path as VaultPath, row);
      this.#stale.add(row.path as VaultPath);
    }
    this.#mark = mark;
    this.#generation = generation;
    return generation;
  }

  #forget(isGone: (id: number) => boolean): void {
    for (const [path, { id }] of this.#rows) {
      if (!isGone(id)) continue;
      this.#rows.delete(path);
      this.#stale.add(path);
    }
  }

  /** The row of a path; undefined where it has none, or one in quarantine. */
  at(path: VaultPath): FileVersion | undefined {
    return this.#rows.get(path);
  }

  /** The paths that have to be looked at; may be taken off the list while it is gone through. */
  stale(): ReadonlySet<VaultPath> {
    return this.#stale;
  }

  /** Puts a path on the list: its file came or went. */
  look(path: VaultPath): void {
    this.#stale.add(path);
  }

  /** Takes a path off the list. */
  looked(path: VaultPath): void {
    this.#stale.delete(path);
  }
}
