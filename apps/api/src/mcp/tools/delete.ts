/** vault_delete: moves a note, document or attachment to the trash, or deletes it for good. */
import { AppError } from '@vault-mcp/shared/errors';
import { deleteEntry, deleteEntryInput } from '../../operations/delete-entry.ts';
import { deletionText } from '../../rendering/deletion-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { deletionOutput } from '../write-output.ts';

export const deleteTool = defineTool({
  name: 'vault_delete',
  operation: 'delete-entry',
  audience: 'agents',
  act: 'change',
  title: 'Delete a file',
  description: 'Moves a note, document or attachment to the trash and names the notes that still link to it.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: deleteEntryInput.omit(REST_ONLY),
  output: deletionOutput,
  async run({ context }, input, request) {
    const answer = await deleteEntry(context, input, request).catch(withAdvice);
    return deletionText(answer, context.config.mcp.max_chars);
  },
});

function withAdvice(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'is_directory') throw error;
  throw new AppError('is_directory', `${error.message} vault_delete_folder removes a folder.`, { cause: error });
}
