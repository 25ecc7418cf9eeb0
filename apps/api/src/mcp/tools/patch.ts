/** vault_patch: changes one section, one block or the body of a note. */
import { patchNote, patchNoteInput } from '../../operations/patch-note.ts';
import { noteWriteText } from '../../rendering/note-write-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { noteWriteOutput } from '../write-output.ts';

export const patchTool = defineTool({
  name: 'vault_patch',
  operation: 'patch-note',
  audience: 'agents',
  act: 'add',
  title: 'Change a part of a note',
  description:
    'Replaces, extends or deletes one section (by a heading target from vault_map), one block (^id) or the body, and leaves the rest byte for byte.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: false },
  input: patchNoteInput.omit({ ...REST_ONLY, target_delimiter: true }),
  output: noteWriteOutput,
  async run({ context }, input, request) {
    return noteWriteText(await patchNote(context, input, request), context.config.mcp.max_chars);
  },
});
