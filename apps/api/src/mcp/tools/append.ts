/** vault_append: adds text at the end of a note. */
import { appendToNote, appendToNoteInput } from '../../operations/append-to-note.ts';
import { noteWriteText } from '../../rendering/note-write-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { noteWriteOutput } from '../write-output.ts';

export const appendTool = defineTool({
  name: 'vault_append',
  operation: 'append-to-note',
  audience: 'agents',
  act: 'add',
  title: 'Append to a note',
  description: 'Adds text at the end of a note, one blank line below what is there.',
  hints: { ...WRITES, destructiveHint: false, idempotentHint: false },
  input: appendToNoteInput.omit(REST_ONLY),
  output: noteWriteOutput,
  async run({ context }, input, request) {
    return noteWriteText(await appendToNote(context, input, request), context.config.mcp.max_chars);
  },
});
