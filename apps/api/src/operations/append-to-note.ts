/** Append text to a note, one blank line below what is there; items go on with the list the note ends in. */
import { AppError } from '@vault-mcp/shared/errors';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeNote, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { createIfMissing, expectedEtag, notePath, outcomeFields } from './write-input.ts';

export const appendToNoteInput = z.strictObject({
  path: notePath,
  content: z.string().describe('The text to add.'),
  create_if_missing: createIfMissing.describe('Make the note when it is not there.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

/** @throws AppError `not_found` without `create_if_missing`; `invalid_value`; what changeNote throws */
export async function appendToNote(
  context: WriteContext,
  input: z.infer<typeof appendToNoteInput>,
  request: WriteRequest,
): Promise<NoteWriteAnswer> {
  const mustExist = !input.create_if_missing;
  try {
    const { answer } = await changeNote(context, input, request, {
      operation: 'append-to-note',
      mustExist,
      edit: { kind: 'body', operation: 'append', content: input.content },
    });
    return answer;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found' || !mustExist) throw error;
    const message = `${error.message} To make a new note there, send "create_if_missing": true.`;
    throw new AppError('not_found', message, { cause: error });
  }
}
