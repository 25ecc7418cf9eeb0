/** A folder's listing as text. Pure. One entry a line; the whole path, so that a line can be pasted into the next call. */
import type { FolderListing } from '../operations/list-folder.ts';
import { oneLine } from './one-line.ts';

type Entry = FolderListing['entries'][number];

function entryLine({ path, type, size, modified, unreadable }: Entry): string {
  const shown = oneLine(path);
  if (type !== 'folder') return `${shown} | ${type}, ${size} bytes, ${modified}`;
  return unreadable ? `${shown}/ | may not be read by the server, so what it holds is not listed` : `${shown}/`;
}

/** @returns lines with type, size and time; then, when there is more, the cursor to go on with */
export function listingText(listing: FolderListing): string {
  const where = listing.path === '' ? 'The vault' : `${oneLine(listing.path)}/`;
  const head = `${where} holds ${listing.total} ${listing.total === 1 ? 'entry' : 'entries'}.`;
  const rest =
    listing.next_cursor === null ? [] : [`Shown: ${listing.entries.length}. next_cursor: ${listing.next_cursor}`];
  return `${[head, ...listing.entries.map(entryLine), ...rest].join('\n')}\n`;
}
