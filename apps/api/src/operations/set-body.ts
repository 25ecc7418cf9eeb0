/** Replace a note's prose and keep its frontmatter, byte for byte but for the timestamp. */
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeNote, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { expectedEtag, notePath, outcomeFields } from './write-input.ts';

export const setBodyInput = z.strictObject({
  path: notePath,
  content: z.string().describe('The new text of everything below the frontmatter.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

/** @throws AppError `not_found`; `invalid_value`; what changeNote throws */
export async function setBody(
  context: WriteContext,
  input: z.infer<typeof setBodyInput>,
  request: WriteRequest,
): Promise<NoteWriteAnswer> {
  const { answer } = await changeNote(context, input, request, {
    operation: 'set-body',
    mustExist: true,
    edit: { kind: 'body', operation: 'replace', content: input.content },
  });
  return answer;
}
