/** vault_create_folder: makes a folder and the folders above it. */
import { z } from 'zod';
import { createFolder, createFolderInput } from '../../operations/create-folder.ts';
import { createdFolderText } from '../../rendering/created-folder-text.ts';
import { defineTool, WRITES } from '../tool.ts';
import { foldersMade, writeFields } from '../write-output.ts';

export const createFolderTool = defineTool({
  name: 'vault_create_folder',
  operation: 'create-folder',
  audience: 'agents',
  act: 'add',
  place: 'folder',
  title: 'Make a folder',
  description: 'Makes a folder and the folders above it; one that is there already is fine.',
  hints: { ...WRITES, destructiveHint: false, idempotentHint: true },
  input: createFolderInput,
  output: z.object({ path: z.string(), created: z.boolean(), folders_made: foldersMade, ...writeFields }),
  async run({ context }, input, request) {
    return createdFolderText(await createFolder(context, input, request), context.config.mcp.max_chars);
  },
});
