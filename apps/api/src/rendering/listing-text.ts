/** A folder's listing as text. Pure. One entry a line; the whole path, so that a line can be pasted into the next call. */
import type { FolderListing } from '../operations/list-folder.ts';

type Entry = FolderListing['entries'][number];

function entryLine({ path, type, size, modified }: Entry): string {
  return type === 'folder' ? `${path}/` : `${path} | ${type}, ${size} bytes, ${modified}`;
}

/** @returns lines with type, size and time; then, when there is more, the cursor to go on with */
export function listingText(listing: FolderListing): string {
  const where = listing.path === '' ? 'The vault' : `${listing.path}/`;
  const head = `${where} holds ${listing.total} ${listing.total === 1 ? 'entry' : 'entries'}.`;
  const rest =
    listing.next_cursor === null ? [] : [`Shown: ${listing.entries.length}. next_cursor: ${listing.next_cursor}`];
  return `${[head, ...listing.entries.map(entryLine), ...rest].join('\n')}\n`;
}
