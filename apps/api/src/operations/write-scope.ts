/**
 * The note or folder that one request's writes are confined to. Danger: a scope that means nothing confines nothing
 * anybody thought of, so whatever could not be written is refused here, before any tool is offered.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { refuseProtected, requireNoteSuffix } from '@vault-mcp/shared/vault/write-rules';
import type { OperationContext } from '../context.ts';

/**
 * A note that is still to be made is no scope: a slip of the pen would be one too, and confine a request to nothing. Who
 * is to make a note is confined to its folder.
 *
 * @returns the scope in the spelling on disk
 * @throws AppError `invalid_path` (nothing named, dotted, protected, a symbolic link), `not_found`, `is_document`,
 * `unsupported_suffix` for a file that is no note
 */
export async function writeScope({ vault }: Pick<OperationContext, 'vault'>, path: VaultPath): Promise<VaultPath> {
  if (path === '') {
    throw new AppError('invalid_path', 'Name what this request may change: /mcp/only/ followed by a note or folder.');
  }
  refuseProtected(path);
  const found = await vault.locate(path);
  if (found.kind !== 'folder') requireNoteSuffix(found.path, vault.docSuffixes);
  return found.path;
}
