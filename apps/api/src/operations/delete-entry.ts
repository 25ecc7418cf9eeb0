/**
 * Remove a note, document or attachment: into the trash, or for good. Danger: links to it stay as they are, so the
 * answer names the notes that have one.
 */
import { type FileKind, parseVaultPath } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { announceDeletion, type Deletion } from './deletion.ts';
import { linkedFrom } from './linked-from.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { expectedEtag, outcomeFields, permanent } from './write-input.ts';

export const deleteEntryInput = z.strictObject({
  path: z.string().describe('The note, document or attachment.'),
  permanent,
  expected_etag: expectedEtag,
  ...outcomeFields,
});

export interface DeletionAnswer extends Deletion {
  readonly kind: FileKind;
  /** Null: there is no version any more. In a dry run the one it was computed from, for a note. */
  readonly etag: string | null;
}

/**
 * @throws AppError `out_of_scope`, `invalid_path`, `not_found`, `is_directory`, `precondition_failed`, `locked`,
 * `insufficient_storage`; nothing is changed then
 */
export async function deleteEntry(
  context: WriteContext,
  input: z.infer<typeof deleteEntryInput>,
  request: WriteRequest,
): Promise<DeletionAnswer> {
  refuseWhenReadOnly(context);
  const trash = context.config.vault.trash && !input.permanent;
  const removed = await context.writer.removeFile(parseVaultPath(input.path), {
    trash,
    expectedEtag: input.expected_etag,
    dryRun: input.dry_run,
    scope: request.scope,
  });
  const { path, kind, trashed } = removed;
  const facts = { path, kind, permanent: !trash, trashed };
  if (removed.dryRun) {
    return { ...facts, ...(await linkedFrom(context, [path])), etag: removed.etagBefore, dry_run: true };
  }
  return { ...facts, etag: null, ...(await announceDeletion(context, 'delete-entry', [path], input, request)) };
}
