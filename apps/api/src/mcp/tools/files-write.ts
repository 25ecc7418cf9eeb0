/** files_write: writes a file beside the notes; only where a folder for files is configured. */
import { z } from 'zod';
import { filesWrite, filesWriteInput } from '../../operations/files-write.ts';
import { filesWriteText } from '../../rendering/placed-file-text.ts';
import { defineTool, WRITES } from '../tool.ts';

const output = z.looseObject({
  status: z.enum(['created', 'replaced', 'appended', 'unchanged']),
  path: z.string(),
  etag: z.string(),
});

export const filesWriteTool = defineTool({
  name: 'files_write',
  operation: 'files-write',
  audience: 'agents',
  act: 'change',
  besideVault: true,
  title: 'Write a file beside the notes',
  description: 'Writes a text file of any kind into the folder for files, which is not part of the vault.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: false },
  input: filesWriteInput,
  output,
  async run({ context }, input, request) {
    return filesWriteText(await filesWrite(context, input, request), context.config.mcp.max_chars);
  },
});
