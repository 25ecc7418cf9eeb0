/** vault_delete_folder: moves a folder to the trash, with what it holds when asked to. */
import { z } from 'zod';
import { deleteFolder, deleteFolderInput } from '../../operations/delete-folder.ts';
import { folderDeletionText } from '../../rendering/deletion-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { deletionFields } from '../write-output.ts';

export const deleteFolderTool = defineTool({
  name: 'vault_delete_folder',
  operation: 'delete-folder',
  title: 'Delete a folder',
  description: 'Moves an empty folder to the trash, or with recursive one with all it holds; counts what went.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: deleteFolderInput.omit(REST_ONLY),
  output: z.object({
    path: z.string(),
    notes: z.number(),
    documents: z.number(),
    other_files: z.number(),
    folders: z.number(),
    left: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .optional()
      .describe('What could not be deleted'),
    ...deletionFields,
  }),
  async run({ context }, input, request) {
    return folderDeletionText(await deleteFolder(context, input, request), context.config.mcp.max_chars);
  },
});
