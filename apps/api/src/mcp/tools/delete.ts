/** vault_delete: moves a note, document or attachment to the trash, or deletes it for good. */
import { z } from 'zod';
import { deleteEntry, deleteEntryInput } from '../../operations/delete-entry.ts';
import { deletionText } from '../../rendering/deletion-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { deletionFields } from '../write-output.ts';

export const deleteTool = defineTool({
  name: 'vault_delete',
  operation: 'delete-entry',
  title: 'Delete a file',
  description: 'Moves a note, document or attachment to the trash and names the notes that still link to it.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: deleteEntryInput.omit(REST_ONLY),
  output: z.object({
    path: z.string(),
    kind: z.enum(['note', 'document', 'attachment']),
    etag: z.string().nullable(),
    ...deletionFields,
  }),
  async run({ context }, input, request) {
    return deletionText(await deleteEntry(context, input, request), context.config.mcp.max_chars);
  },
});
