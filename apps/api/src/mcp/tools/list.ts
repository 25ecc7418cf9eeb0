/** vault_list: what a folder holds, a page at a time. */
import { z } from 'zod';
import type { OperationContext } from '../../context.ts';
import { type FolderListing, listFolder, listFolderInput } from '../../operations/list-folder.ts';
import { listingText } from '../../rendering/listing-text.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

/** Entries in one answer when the caller names no limit: some 10 000 tokens at ordinary path lengths. */
const DEFAULT_LIMIT = 500;

const output = z.object({
  path: z.string().describe('The folder as it is spelt on disk; empty for the vault itself'),
  entries: z.array(
    z.object({
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

/** The largest page whose text fits: a folder of very long paths gets fewer entries, never a cut line. */
async function fittingPage(
  context: OperationContext,
  input: z.infer<typeof listFolderInput>,
  maxChars: number,
): Promise<{ listing: FolderListing; text: string }> {
  for (let limit = input.limit ?? DEFAULT_LIMIT; ; limit = Math.floor(limit / 2)) {
    const listing = await listFolder(context, { ...input, limit });
    const text = listingText(listing);
    if (text.length <= maxChars || limit === 1) return { listing, text };
  }
}

export const listTool = defineTool({
  name: 'vault_list',
  title: 'List a folder',
  description:
    'Lists the notes, documents, attachments and subfolders of a folder, with sizes and times. Pages by cursor.',
  hints: READ_ONLY,
  input: listFolderInput,
  output,
  async run({ context }, input) {
    const maxChars = context.config.mcp.max_chars;
    const { listing, text } = await fittingPage(context, input, maxChars);
    const { path, entries, total, next_cursor } = listing;
    return { text, structured: { path, entries, total, next_cursor } };
  },
});
