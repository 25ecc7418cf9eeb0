/** vault_set_body: replaces a note's prose and keeps its frontmatter. */
import { setBody, setBodyInput } from '../../operations/set-body.ts';
import { noteWriteText } from '../../rendering/note-write-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { noteWriteOutput } from '../write-output.ts';

export const setBodyTool = defineTool({
  name: 'vault_set_body',
  operation: 'set-body',
  audience: 'agents',
  act: 'change',
  title: "Replace a note's body",
  description: 'Replaces everything below the frontmatter, which stays as it is but for its timestamp.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: setBodyInput.omit(REST_ONLY),
  output: noteWriteOutput,
  async run({ context }, input, request) {
    return noteWriteText(await setBody(context, input, request), context.config.mcp.max_chars);
  },
});
