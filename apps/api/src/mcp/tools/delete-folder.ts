/** vault_delete_folder: moves a folder to the trash, with what it holds when asked to. */
import { z } from 'zod';
import { deleteFolder, deleteFolderInput } from '../../operations/delete-folder.ts';
import { folderDeletionText } from '../../rendering/deletion-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { deletionOutput } from '../write-output.ts';

export const deleteFolderTool = defineTool({
  name: 'vault_delete_folder',
  operation: 'delete-folder',
  audience: 'agents',
  act: 'change',
  place: 'folder',
  title: 'Delete a folder',
  description: 'Moves an empty folder to the trash, or with recursive one with all it holds; counts what went.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: deleteFolderInput.omit(REST_ONLY),
  output: deletionOutput.extend({
    left: z
      .array(z.looseObject({ path: z.string() }))
      .optional()
      .describe('reason: what could not be deleted'),
  }),
  async run({ context }, input, request) {
    return folderDeletionText(await deleteFolder(context, input, request), context.config.mcp.max_chars);
  },
});
