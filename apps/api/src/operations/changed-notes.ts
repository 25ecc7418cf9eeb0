/**
 * Which notes changed since somebody remembered something of each, by the index's rows: then what is remembered of thousands
 * holds without asking for any of them. Danger: a file that the index has no row of never shows here, so nothing may be
 * remembered of such a one; and who asks has to forget, since it is told once.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { NoteMark } from '@vault-mcp/shared/index-db/rows';

export class ChangedNotes {
  #mark: NoteMark | null = null;

  /**
   * @returns the paths whose rows came or were replaced since the last time; null the first time, and when it can be any
   * @throws AppError `not_ready` without an index
   */
  since(reader: Pick<IndexReader, 'noteChanges'>): ReadonlySet<string> | null {
    // Which of the rows are new, and which are gone, is nothing to whoever only forgets.
    const { mark, whole, rows } = reader.noteChanges(this.#mark, () => false);
    this.#mark = mark;
    return whole ? null : new Set(rows.map(({ path }) => path));
  }
}
