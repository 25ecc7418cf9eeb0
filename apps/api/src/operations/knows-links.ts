/**
 * Whether the index knows a note's links as they are. Danger: a note that is wrongly said to be known is not read, and a link
 * in it is passed over.
 */
import type { FileStat, LinkingFileRow } from '@vault-mcp/shared/index-db/rows';
import { statKey } from './etag.ts';

/**
 * Whether a row's links are those of the file as it is now: one in quarantine could not be read when it was indexed, so its
 * links are not in the index.
 *
 * @param stat undefined when there is no such file
 */
export function knowsLinks(row: LinkingFileRow, stat: FileStat | undefined): boolean {
  return stat !== undefined && row.state !== 'quarantined' && statKey(stat) === statKey(row.stat);
}
