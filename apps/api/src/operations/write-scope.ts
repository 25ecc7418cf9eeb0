/**
 * The note or folder that one request's writes are confined to. Danger: a scope that means nothing confines nothing
 * anybody thought of, so whatever could not be written is refused here, before any tool is offered.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { fileKindOf, parentOf, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import { refuseProtected, requireNoteSuffix, requirePortableNames } from '@vault-mcp/shared/vault/write-rules';
import type { OperationContext } from '../context.ts';

/**
 * A note that is still to be made may be a scope too, so that a flow can hand out one page to write; the folder it goes
 * into has to be there, or a slip of the pen would do.
 *
 * @returns the scope in the spelling on disk
 * @throws AppError `invalid_path` (nothing named, dotted, protected, a symbolic link), `not_found`, `not_a_directory`,
 * `is_document`, `unsupported_suffix` for a file that is no note
 */
export async function writeScope({ vault }: Pick<OperationContext, 'vault'>, path: VaultPath): Promise<VaultPath> {
  if (path === '') {
    throw new AppError('invalid_path', 'Name what this request may change: /mcp/only/ followed by a note or folder.');
  }
  refuseProtected(path);
  if (fileKindOf(path, vault.docSuffixes) !== 'note') return existing(vault, path);
  try {
    return await existing(vault, path);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    return toBeMade(vault, path);
  }
}

async function existing(vault: OperationContext['vault'], path: VaultPath): Promise<VaultPath> {
  const found = await vault.locate(path);
  if (found.kind !== 'folder') requireNoteSuffix(found.path, vault.docSuffixes);
  return found.path;
}

/** @throws AppError unless a note could be made there */
async function toBeMade(vault: OperationContext['vault'], path: VaultPath): Promise<VaultPath> {
  const folder = await vault.locate(parentOf(path));
  if (folder.kind !== 'folder') {
    throw new AppError('not_a_directory', `"${shown(folder.path)}" is a file: nothing can stand below it.`);
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  requirePortableNames(name as VaultPath);
  return (folder.path === '' ? name : `${folder.path}/${name}`) as VaultPath;
}
