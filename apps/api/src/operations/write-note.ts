/** Create a note, or replace one whole. Danger: replacing loses whatever the new text lacks, so it has to be asked for. */
import { AppError } from '@vault-mcp/shared/errors';
import { shown } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeNote, type NoteChange, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { expectedEtag, notePath, outcomeFields } from './write-input.ts';

export const writeNoteInput = z.strictObject({
  path: notePath,
  content: z.string().describe('The whole text, frontmatter included.'),
  overwrite: z.boolean().optional().describe('Replace a note that is there already.'),
  must_not_exist: z.boolean().optional().describe('Fail with precondition_failed when something is there already.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

/** @throws AppError `already_exists` without `overwrite`; `invalid_value`; what changeNote throws */
export async function writeNote(
  context: WriteContext,
  input: z.infer<typeof writeNoteInput>,
  request: WriteRequest,
): Promise<NoteWriteAnswer> {
  const change: NoteChange = {
    operation: 'write-note',
    mustNotExist: input.must_not_exist,
    edit: { kind: 'whole', text: input.content },
    replacesWhole: true,
    admit(there) {
      if (there !== null && !input.overwrite) throw exists(there.path);
    },
  };
  const { answer } = await changeNote(context, input, request, change);
  return answer;
}

function exists(path: string): AppError {
  const advice = 'change a part of it instead, or send "overwrite": true to replace all of it.';
  return new AppError('already_exists', `"${shown(path)}" is there already: ${advice}`);
}
