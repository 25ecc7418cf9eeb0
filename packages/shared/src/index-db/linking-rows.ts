/**
 * The index's row of every note, with its links, none for a note that has none. Danger: there may be thousands and each read
 * answers at once, so they come page by page with a turn for others in between; the index may move on meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexReader } from './reader.ts';
import type { LinkingFileRow } from './rows.ts';

const ROWS_PER_PAGE = 500;

/** @throws AppError `not_ready` without an index */
export async function* linkingRows(reader: Pick<IndexReader, 'linkingFiles'>): AsyncGenerator<LinkingFileRow> {
  for (let after = 0; ; await nextTurn()) {
    const rows = reader.linkingFiles(after, ROWS_PER_PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
