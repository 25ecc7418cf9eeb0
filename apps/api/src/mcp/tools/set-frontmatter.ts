/** vault_set_frontmatter: sets or takes out one frontmatter key. */
import { setFrontmatter, setFrontmatterInput } from '../../operations/set-frontmatter.ts';
import { noteWriteText } from '../../rendering/note-write-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';
import { noteWriteOutput } from '../write-output.ts';

export const setFrontmatterTool = defineTool({
  name: 'vault_set_frontmatter',
  operation: 'set-frontmatter',
  audience: 'agents',
  act: 'change',
  title: 'Set a frontmatter key',
  description: 'Sets or deletes one frontmatter key; the other lines stay as they are.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: false },
  input: setFrontmatterInput.omit(REST_ONLY),
  output: noteWriteOutput,
  async run({ context }, input, request) {
    return noteWriteText(await setFrontmatter(context, input, request), context.config.mcp.max_chars);
  },
});
