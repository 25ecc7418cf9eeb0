/** vault_replace_text: replaces a text that is there exactly as often as expected. */
import { replaceText, replaceTextInput } from '../../operations/replace-text.ts';
import { noteWriteText } from '../../rendering/note-write-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { noteWriteOutput } from '../write-output.ts';

export const replaceTextTool = defineTool({
  name: 'vault_replace_text',
  operation: 'replace-text',
  audience: 'agents',
  act: 'change',
  title: 'Replace text in a note',
  description: 'Replaces a text literally; refused unless it is found exactly count times.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: false },
  input: replaceTextInput.omit(REST_ONLY),
  output: noteWriteOutput,
  async run({ context }, input, request) {
    return noteWriteText(await replaceText(context, input, request), context.config.mcp.max_chars);
  },
});
