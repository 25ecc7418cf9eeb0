/** wiki_ingest: keeps raw material for the wiki, sent along or fetched. */
import { z } from 'zod';
import { wikiIngest, wikiIngestInput } from '../../operations/wiki-ingest.ts';
import { wikiIngestText } from '../../rendering/placed-file-text.ts';
import { defineTool, WRITES } from '../tool.ts';

const output = z.looseObject({
  status: z.enum(['stored', 'unchanged', 'would_fetch']),
  path: z.string(),
  size: z.number().optional(),
});

export const wikiIngestTool = defineTool({
  name: 'wiki_ingest',
  operation: 'wiki-ingest',
  audience: 'agents',
  act: 'add',
  place: 'raw-material',
  title: 'Keep raw material for the wiki',
  description:
    "Keeps a source as it is in the wiki's raw folder, which search leaves out: a text under a filename, or what a URL leads to.",
  hints: { ...WRITES, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: wikiIngestInput,
  output,
  async run({ context }, input, request) {
    return wikiIngestText(await wikiIngest(context, input, request), context.config.mcp.max_chars);
  },
});
