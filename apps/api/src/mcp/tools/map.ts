/** vault_map: what a note is made of, as targets that paste back into a read or a patch. */
import { z } from 'zod';
import { mapNote, mapNoteInput } from '../../operations/map-note.ts';
import { readNoteInput } from '../../operations/read-note.ts';
import { mapPage } from '../../rendering/map-page.ts';
import { supersededOutput } from '../superseded-output.ts';
import { defineTool, READ_ONLY } from '../tool.ts';

// What is known of a document's text stands in the text and the answer.
const output = z.looseObject({
  path: z.string(),
  kind: z.enum(['note', 'document']),
  frontmatter: z.record(z.string(), z.unknown()).optional(),
  frontmatter_error: z.string().optional().describe('Why it cannot be used'),
  headings: z
    .array(
      z.object({
        depth: z.number(),
        text: z.string(),
        target: z.string().describe('Pass as section to vault_read, as target to vault_patch'),
        line: z.number(),
      }),
    )
    .optional(),
  blocks: z.array(z.string()).optional().describe('Block targets, as ^id'),
  outline_error: z.string().optional().describe('Why headings and blocks may be missing and are no targets'),
  extraction: z.string().optional().describe('Of a document: how its text was had, or why not'),
  shortened: z.array(z.string()).optional(),
  superseded_by: supersededOutput,
  etag: z.string(),
  next_offset: z.number().nullable().describe('Pass as offset to go on; null at the end'),
  total_chars: z.number(),
});

export const mapTool = defineTool({
  name: 'vault_map',
  operation: 'map-note',
  audience: 'agents',
  act: 'read',
  title: 'Map a note',
  description:
    "Shows a note's frontmatter and its headings with line and target, without the text; for a document, what is known of its extraction.",
  hints: READ_ONLY,
  input: mapNoteInput.extend({ offset: readNoteInput.shape.offset }),
  output,
  async run({ context }, { path, offset }) {
    return mapPage(await mapNote(context, { path }), offset ?? 0, context.config.mcp.max_chars);
  },
});
