/**
 * What may become of a note that was shown: whether this caller, this request and the file itself let it be changed. Danger: it
 * is a statement about a moment, for the decider; the writer decides again when it writes.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { isIndexPagePath } from '@vault-mcp/shared/vault/index-page';
import { excludedBy } from '@vault-mcp/shared/vault/indexed-paths';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { GatePorts } from '../ports.ts';

/** `append`: text may be added, and nothing else of it be changed. */
export type Touch = 'none' | 'append' | 'all';

type RightsPorts = Pick<GatePorts, 'vault' | 'writer' | 'caller' | 'config'>;

export async function touchOf({ vault, writer, caller, config }: RightsPorts, path: VaultPath): Promise<Touch> {
  const right = vault.access.rightAt(path);
  // Wiki pages change by one-fact writes only.
  if (right === false || isIndexPagePath(path) || excludedBy([config.wikiDir])(path)) return 'none';
  const touch = right === true ? 'all' : right;
  try {
    // Whatever the writer would refuse, it refuses here: the request's scope, a file mode, bytes that are no text.
    const asItIs = (there: { readonly text: string } | null) => there?.text ?? '';
    await writer.edit(path, asItIs, { mustExist: true, dryRun: true, scope: caller.scope, act: 'add' });
    return touch;
  } catch (error) {
    // One that is gone is no more closed than it was: that it has changed is found out by who acts on it.
    if (error instanceof AppError) return error.code === 'not_found' ? touch : 'none';
    throw error;
  }
}
