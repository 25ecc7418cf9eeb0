/**
 * Remove a folder, with everything in it when asked to: into the trash, or for good. Danger: one hidden entry or
 * symbolic link inside refuses the whole of it, so that nothing goes which no listing shows.
 */
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { RemoveFolderResult } from '@vault-mcp/shared/vault/write';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { announceDeletion, type Deletion } from './deletion.ts';
import { linkedFrom } from './linked-from.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { outcomeFields, permanent } from './write-input.ts';

export const deleteFolderInput = z.strictObject({
  path: z.string().describe('The folder.'),
  recursive: z.boolean().optional().describe('Also when it is not empty, with all it holds.'),
  permanent,
  ...outcomeFields,
});

export interface FolderDeletionAnswer extends Deletion {
  /** How many of each went (in a dry run: would go) with it. */
  readonly notes: number;
  readonly documents: number;
  readonly other_files: number;
  /** Folders below it. */
  readonly folders: number;
  /** Only when not all of it could be deleted for good: what is still there, where it is now, and why. */
  readonly left?: RemoveFolderResult['left'];
}

/**
 * @throws AppError `out_of_scope`, `invalid_path` (the root, or something protected inside), `not_found`,
 * `not_a_directory`, `not_empty` without `recursive`, `locked`, `insufficient_storage`; nothing is changed then. Once part of it is
 * deleted for good nothing is thrown: what is left is in `left`
 */
export async function deleteFolder(
  context: WriteContext,
  input: z.infer<typeof deleteFolderInput>,
  request: WriteRequest,
): Promise<FolderDeletionAnswer> {
  refuseWhenReadOnly(context);
  const trash = context.config.vault.trash && !input.permanent;
  const removed = await context.writer.removeFolder(parseVaultPath(input.path), {
    trash,
    recursive: input.recursive,
    dryRun: input.dry_run,
    scope: request.scope,
  });
  const paths = removed.files.map(({ path }) => path);
  const facts = {
    path: removed.path,
    ...countsOf(removed),
    permanent: !trash,
    trashed: removed.trashed,
    ...(removed.left.length > 0 && { left: removed.left }),
  };
  if (removed.dryRun) return { ...facts, ...(await linkedFrom(context, paths)), dry_run: true };
  return { ...facts, ...(await announceDeletion(context, 'delete-folder', paths, input, request)) };
}

function countsOf({ files, folders }: RemoveFolderResult) {
  const count = (wanted: string) => files.filter(({ kind }) => kind === wanted).length;
  return {
    notes: count('note'),
    documents: count('document'),
    other_files: count('attachment'),
    folders: folders.length,
  };
}
