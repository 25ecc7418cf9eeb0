/**
 * Refuses a change of a note that names a document, before what was sent is looked at. Danger: the bytes of a document are
 * no text, and whoever sent them would be told of an encoding, and not that documents are filed; and as for every write,
 * what is protected is told before what has the wrong suffix.
 */
import { fileKindOf, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { WriteContext } from '../context.ts';
import { refuseWhenReadOnly, type WriteRequest } from './write-context.ts';

/**
 * Of any other path nothing is asked; of a document's not whether it is there.
 *
 * @throws AppError `is_document`; before that `out_of_scope` (a read-only server), `invalid_path` (protected, a symbolic
 * link on the way)
 */
export async function refuseDocument(context: WriteContext, path: VaultPath, { scope }: WriteRequest): Promise<void> {
  if (fileKindOf(path, context.vault.docSuffixes) !== 'document') return;
  refuseWhenReadOnly(context);
  // The writer refuses by its own rules, long before it would want a text.
  const noText = () => {
    throw new Error('a document was to be edited');
  };
  await context.writer.edit(path, noText, { mustExist: true, scope });
}
