/** Replace a text literally, where it is there exactly as often as expected; which one was meant is never guessed. */
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeNote, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { expectedEtag, notePath, outcomeFields } from './write-input.ts';

export const replaceTextInput = z.strictObject({
  path: notePath,
  find: z.string().min(1).describe('The text to find, character for character; line breaks match either style.'),
  replace: z.string().describe('What to put in its place; empty to remove it.'),
  count: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('How often it must be there (none overlapping); all are replaced. Default 1.'),
  section: z
    .string()
    .min(1)
    .optional()
    .describe('Look in one section only: a heading as the map gives it, or a block as ^id.'),
  include_frontmatter: z.boolean().optional().describe('Look in the frontmatter too.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

/**
 * @throws AppError `no_such_text`, `ambiguous_text`; `no_such_heading`, `ambiguous_heading`, `no_such_block`;
 * `invalid_value`; `not_found`; what changeNote throws
 */
export async function replaceText(
  context: WriteContext,
  input: z.infer<typeof replaceTextInput>,
  request: WriteRequest,
): Promise<NoteWriteAnswer> {
  const { find, replace, count = 1, section, include_frontmatter: includeFrontmatter = false } = input;
  const { note_max_bytes: maxBytes } = context.config.vault;
  const replacement = {
    ...{ find, replace, count, includeFrontmatter },
    ...(section === undefined ? {} : { section }),
    ...(maxBytes > 0 ? { maxBytes } : {}),
  };
  const { answer } = await changeNote(context, input, request, {
    operation: 'replace-text',
    mustExist: true,
    edit: { kind: 'text', replacement },
  });
  return answer;
}
