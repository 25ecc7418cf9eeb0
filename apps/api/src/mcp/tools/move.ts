/** vault_move: moves or renames a file or a folder, and the links to it with it. */
import { z } from 'zod';
import { moveEntry, moveEntryInput } from '../../operations/move-entry.ts';
import { moveText } from '../../rendering/move-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { foldersMade, indexedField, writeFields } from '../write-output.ts';

export const moveTool = defineTool({
  name: 'vault_move',
  operation: 'move-entry',
  title: 'Move or rename',
  description: 'Moves or renames a note, document, attachment or folder; links to it follow.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: moveEntryInput.omit(REST_ONLY),
  output: z.object({
    source: z.string(),
    destination: z.string(),
    kind: z.enum(['note', 'document', 'attachment', 'folder']),
    etag: z.string().nullable(),
    links_updated: z.number(),
    notes_updated: z.number(),
    links_broken: z.number().optional(),
    left: z
      .array(z.object({ path: z.string(), line: z.number().nullable(), reason: z.string() }))
      .describe('Links that could not follow; what a folder took along unseen'),
    folders_made: foldersMade,
    indexed: indexedField,
    notes: z.array(z.object({ path: z.string(), links: z.number() })).optional(),
    diff: z.string().optional(),
    ...writeFields,
  }),
  async run({ context }, input, request) {
    return moveText(await moveEntry(context, input, request), context.config.mcp.max_chars);
  },
});
