/** vault_move: moves or renames a file or a folder, and the links to it with it. */
import { z } from 'zod';
import { moveEntry, moveEntryInput } from '../../operations/move-entry.ts';
import { moveText } from '../../rendering/move-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';

export const moveTool = defineTool({
  name: 'vault_move',
  operation: 'move-entry',
  audience: 'agents',
  act: 'change',
  title: 'Move or rename',
  description: 'Moves or renames a note, document, attachment or folder; links to it follow.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: moveEntryInput.omit(REST_ONLY),
  // How many notes were written to and what the index knows stand in the text and the answer.
  output: z.looseObject({
    source: z.string(),
    destination: z.string(),
    links_updated: z.number(),
    left: z
      .array(z.looseObject({ path: z.string() }))
      .describe('line, reason: links that could not follow; what a folder took along unseen'),
    diff: z.string().optional(),
  }),
  async run({ context }, input, request) {
    return moveText(await moveEntry(context, input, request), context.config.mcp.max_chars);
  },
});
