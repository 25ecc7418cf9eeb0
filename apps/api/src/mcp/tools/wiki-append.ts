/** wiki_append: puts one fact on the wiki page it belongs to. */
import { z } from 'zod';
import { wikiAppend, wikiAppendInput } from '../../operations/wiki-append.ts';
import { wikiAppendText } from '../../rendering/wiki-text.ts';
import { defineTool, REST_ONLY, WRITES } from '../tool.ts';

const output = z.looseObject({
  status: z.enum(['added', 'created', 'replaced', 'candidates', 'refines', 'same']),
  path: z.string().optional(),
  bullet: z.string().optional(),
  candidates: z.array(z.looseObject({ path: z.string() })).optional(),
  similar: z.array(z.looseObject({ path: z.string() })),
  committed: z.looseObject({ state: z.string() }).optional(),
});

export const wikiAppendTool = defineTool({
  name: 'wiki_append',
  operation: 'wiki-append',
  audience: 'agents',
  act: 'add',
  place: 'wiki',
  title: 'Put a fact on a wiki page',
  description:
    'Adds one fact to the page it belongs to, with its date. Writes nothing where pages of similar names exist, or the fact is there: then it says what to send.',
  hints: { ...WRITES, destructiveHint: true, idempotentHint: true },
  input: wikiAppendInput.omit({ ...REST_ONLY, wait: true, dry_run: true }),
  output,
  async run({ context }, input, request) {
    return wikiAppendText(await wikiAppend(context, input, request), context.config.mcp.max_chars);
  },
});
