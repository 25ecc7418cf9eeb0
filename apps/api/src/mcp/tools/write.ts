/** vault_write: makes a note, or replaces one whole when asked to. */
import { writeNote, writeNoteInput } from '../../operations/write-note.ts';
import { noteWriteText } from '../../rendering/note-write-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { noteWriteOutput } from '../write-output.ts';

export const writeTool = defineTool({
  name: 'vault_write',
  operation: 'write-note',
  audience: 'agents',
  act: 'add',
  title: 'Write a whole note',
  description: 'Makes a note, and the folders above it. Replaces one that is there only with overwrite.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: writeNoteInput.omit({ ...REST_ONLY, must_not_exist: true }),
  output: noteWriteOutput,
  async run({ context }, input, request) {
    return noteWriteText(await writeNote(context, input, request), context.config.mcp.max_chars);
  },
});
