/** Set or delete one frontmatter key by its own lines; the rest of the block keeps its order, comments and quoting. */
import { AppError } from '@vault-mcp/shared/errors';
import type { NoteEdit } from '@vault-mcp/shared/vault/note/edit/note-edit';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeNote, type NoteWriteAnswer } from './change-note.ts';
import type { WriteRequest } from './write-context.ts';
import { createIfMissing, expectedEtag, notePath, outcomeFields } from './write-input.ts';

export const setFrontmatterInput = z.strictObject({
  path: notePath,
  key: z.string().min(1).describe('The key.'),
  value: z.unknown().optional().describe('Text, number, true, false, or a list or mapping of those; never null.'),
  operation: z
    .enum(['replace', 'append', 'prepend'])
    .optional()
    .describe('append and prepend add to a list, mapping or text that is there. Default replace.'),
  delete: z.boolean().optional().describe('Take the key out instead; send no value then.'),
  create_if_missing: createIfMissing.describe('Make the frontmatter block when there is none.'),
  expected_etag: expectedEtag,
  ...outcomeFields,
});

/** @throws AppError `no_frontmatter`; `invalid_value`; `invalid_request`; `not_found`; what changeNote throws */
export async function setFrontmatter(
  context: WriteContext,
  input: z.infer<typeof setFrontmatterInput>,
  request: WriteRequest,
): Promise<NoteWriteAnswer> {
  const { key, value, operation = 'replace', create_if_missing: mayMakeBlock = false } = input;
  const isDeletion = input.delete ?? false;
  if (isDeletion === (value !== undefined)) {
    throw new AppError('invalid_request', 'Send either a value for the key, or "delete": true to take it out.');
  }
  if (isDeletion && operation !== 'replace') {
    throw new AppError('invalid_request', `"delete" takes the key out with all it holds: leave "${operation}" out.`);
  }
  const edit: NoteEdit = isDeletion
    ? { kind: 'delete-key', key }
    : { kind: 'set-key', key, value, operation, options: { createIfMissing: mayMakeBlock } };
  const { answer } = await changeNote(context, input, request, {
    operation: 'set-frontmatter',
    mustExist: true,
    keepsTimestamp: ownTimestamp(context, key),
    edit,
  });
  return answer;
}

/** Who sets the timestamp by hand means that one. */
function ownTimestamp({ config }: WriteContext, key: string): string | undefined {
  return key === config.notes.timestamp_key ? 'the timestamp itself was written' : undefined;
}
