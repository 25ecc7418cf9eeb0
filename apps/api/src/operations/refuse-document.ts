/**
 * Refuses a change of a note that names a document, before what was sent is looked at. Danger: the bytes of a document are
 * no text, and whoever sent them would be told of an encoding, and not that documents are filed; and as for every write,
 * what is protected is told before what has the wrong suffix.
 */
import { fileKindOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import { requireNoteSuffix } from '@vault-mcp/shared/vault/write-rules';
import { checkTarget } from '@vault-mcp/shared/vault/write-target';
import type { WriteContext } from '../context.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';

/**
 * Looks at the disk for a document's path alone, whether or not it is there.
 *
 * @throws AppError `is_document`; before that `out_of_scope` (a read-only server), `invalid_path` (protected, a symbolic
 * link on the way)
 */
export async function refuseDocument(context: WriteContext, path: VaultPath, { scope }: WriteRequest): Promise<void> {
  const { vault } = context;
  if (fileKindOf(path, vault.docSuffixes) !== 'document') return;
  refuseWhenReadOnly(context);
  const requireSuffix = (found: VaultPath) => requireNoteSuffix(found, vault.docSuffixes);
  await checkTarget(vault, path, { creates: false, requireSuffix, scope });
}
