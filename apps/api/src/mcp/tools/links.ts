/** vault_links: what links to what, of one file or of the whole vault. */
import { z } from 'zod';
import { type FoundLinks, findLinks, findLinksInput } from '../../operations/find-links.ts';
import { roomForEntries } from '../../rendering/answer-size.ts';
import { linksText } from '../../rendering/links-text.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

/** What a link has is said once for all lists, since every session pays for it. */
const links = z.array(z.looseObject({}));

const output = z.object({
  path: z.string(),
  kind: z.string().optional(),
  outlinks: links.optional().describe('target, line, to (where it leads), form, embed, heading, block, alias'),
  backlinks: links.optional().describe('With the path of each'),
  broken: links,
  ambiguous: links.describe('candidates; to: the one Obsidian opens'),
  neighbours: links.optional().describe('Nearest first: path, distance, shared links'),
  orphans: z.array(z.string()).optional(),
  counts: z.record(z.string(), z.number()).describe('Of the whole lists'),
  degraded: z.array(z.string()),
  left_out: links,
  index_generation: z.number(),
  next_cursor: z.string().nullable().describe('Pass as cursor to go on; null at the end'),
});

/** Fewer entries of each list until they fit, so that no line is cut; what is left out, the cursor goes on with. */
async function fitting(find: (limit?: number) => Promise<FoundLinks>, maxChars: number, limit?: number) {
  let found = await find(limit);
  for (let entries = longestList(found); ; entries = Math.floor(entries / 2)) {
    const text = linksText(found);
    const fits = text.length <= maxChars && JSON.stringify(found).length <= roomForEntries(maxChars);
    if (fits || entries <= 1) return { text, structured: found };
    found = await find(Math.floor(entries / 2));
  }
}

function longestList(found: FoundLinks): number {
  return Math.max(...Object.values(found).map((value) => (Array.isArray(value) ? value.length : 0)));
}

export const linksTool = defineTool({
  name: 'vault_links',
  operation: 'find-links',
  audience: 'agents',
  act: 'read',
  title: 'Find links',
  description:
    'Shows what a note links to, what links to it, and what is near; without a path, the broken and ambiguous links of the whole vault, and its orphans. Pages by cursor.',
  hints: READ_ONLY,
  input: findLinksInput,
  output,
  run: ({ context }, input) =>
    fitting(
      (limit) => findLinks(context, { ...input, ...(limit === undefined ? {} : { limit }) }),
      context.config.mcp.max_chars,
      input.limit,
    ),
});
