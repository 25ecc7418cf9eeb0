/** vault_list: what a folder holds, a page at a time. */
import { z } from 'zod';
import { type FolderListing, firstEntries, listFolder, listFolderInput } from '../../operations/list-folder.ts';
import { fittingEntries, roomForEntries } from '../../rendering/answer-size.ts';
import { listingText } from '../../rendering/listing-text.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

/** Entries in one answer when the caller names no limit: some 10 000 tokens at ordinary path lengths. */
const DEFAULT_LIMIT = 500;

const output = z.object({
  path: z.string().describe('The folder as it is spelt on disk; empty for the vault itself'),
  entries: z.array(
    z.looseObject({
      name: z.string(),
      path: z.string().describe('Path from the vault root: what the other tools take'),
      type: z.enum(['note', 'document', 'attachment', 'folder']),
      size: z.number().describe('Bytes'),
      modified: z.string().describe('ISO 8601'),
    }),
  ),
  total: z.number().describe('Entries in the whole listing'),
  next_cursor: z.string().nullable().describe('Pass as cursor to go on; null at the end'),
});

/** Fewer entries until they fit: a folder of very long paths gets a shorter page, never a cut line. */
function fittingPage(listing: FolderListing, maxChars: number): { listing: FolderListing; text: string } {
  const first = firstEntries(listing, fittingEntries(listing.entries, roomForEntries(maxChars)));
  for (let page = first; ; page = firstEntries(page, Math.floor(page.entries.length / 2))) {
    const text = listingText(page);
    if (text.length <= maxChars || page.entries.length <= 1) return { listing: page, text };
  }
}

export const listTool = defineTool({
  name: 'vault_list',
  operation: 'list-folder',
  audience: 'agents',
  act: 'read',
  title: 'List a folder',
  description:
    'Lists the notes, documents, attachments and subfolders of a folder, with sizes and times. Pages by cursor.',
  hints: READ_ONLY,
  input: listFolderInput,
  output,
  async run({ context }, input) {
    // Read once, however short the page becomes: a recursive listing walks the whole folder.
    const whole = await listFolder(context, { ...input, limit: input.limit ?? DEFAULT_LIMIT });
    const { listing, text } = fittingPage(whole, context.config.mcp.max_chars);
    const { path, entries, total, next_cursor } = listing;
    return { text, structured: { path, entries, total, next_cursor } };
  },
});
