/** Make a folder with the parents it lacks. That it is there already is success; a file in its place is not. */
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';
import { dryRun } from './write-input.ts';

export const createFolderInput = z.strictObject({
  path: z.string().describe('The folder.'),
  dry_run: dryRun,
});

export interface FolderCreated {
  /** In the spelling on disk. */
  readonly path: string;
  /** False when it was there already. */
  readonly created: boolean;
  /** Every folder made (in a dry run: to be made), outermost first. */
  readonly folders_made: readonly string[];
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
}

/**
 * @throws AppError `out_of_scope`, `invalid_path`, `already_exists` (a file, or a name in another case),
 * `not_a_directory` (below a file), `locked`, `insufficient_storage`
 */
export async function createFolder(
  context: WriteContext,
  input: z.infer<typeof createFolderInput>,
  request: WriteRequest,
): Promise<FolderCreated> {
  refuseWhenReadOnly(context);
  const { path, made, dryRun } = await context.writer.createFolder(parseVaultPath(input.path), {
    dryRun: input.dry_run,
    scope: request.scope,
  });
  return { path, created: made.length > 0, folders_made: made, ...(dryRun ? { dry_run: true as const } : {}) };
}
