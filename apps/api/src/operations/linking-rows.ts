/**
 * The index's row of every note, with its links, none for a note that has none. Danger: there may be thousands and each read answers at once,
 * so they come page by page with a turn for others in between; the index may move on meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { FileStat, LinkingFileRow } from '@vault-mcp/shared/index-db/rows';
import { statKey } from './etag.ts';

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

/**
 * Whether a row's links are those of the file as it is now: one in quarantine could not be read when it was indexed, so its
 * links are not in the index.
 *
 * @param stat undefined when there is no such file
 */
export function knowsLinks(row: LinkingFileRow, stat: FileStat | undefined): boolean {
  return stat !== undefined && row.state !== 'quarantined' && statKey(stat) === statKey(row.stat);
}
