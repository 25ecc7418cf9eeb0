/** Set or delete one frontmatter key by its own lines; the rest of the block keeps its order, comments and quoting. */
import { AppError } from '@vault-mcp/shared/errors';
import { deleteFrontmatterKey, setFrontmatterKey } from '@vault-mcp/shared/vault/note/edit/frontmatter';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { Frontmatter } from '@vault-mcp/shared/vault/note/model';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { changeExistingNote, type NoteWriteAnswer } from './change-note.ts';
import { mergedValue } from './merged-value.ts';
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
  const { answer } = await changeExistingNote(
    context,
    input,
    request,
    (text) => {
      const note = { text, frontmatter: parseFrontmatter(text) };
      if (isDeletion) return deleteFrontmatterKey(note, key);
      const wanted = operation === 'replace' ? value : mergedValue(valueIn(note, key), value, operation);
      return setFrontmatterKey(note, key, wanted, { createIfMissing: mayMakeBlock });
    },
    { operation: 'set-frontmatter', keepsTimestamp: ownTimestamp(context, key) },
  );
  return answer;
}

function valueIn({ frontmatter }: { readonly frontmatter: Frontmatter }, key: string): unknown {
  return Object.hasOwn(frontmatter.data, key) ? frontmatter.data[key] : undefined;
}

/** Who sets the timestamp by hand means that one. */
function ownTimestamp({ config }: WriteContext, key: string): string | undefined {
  return key === config.notes.timestamp_key ? 'the timestamp itself was written' : undefined;
}
