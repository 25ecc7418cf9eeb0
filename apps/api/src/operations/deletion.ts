/**
 * What every deletion answers of what became of the entry, so that one field means one thing for files and folders, and
 * how history and index hear of it. Danger: looking for links takes longer than telling, so neither waits for it.
 */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { WriteContext } from '../context.ts';
import { announceRemoved, type IndexedState, waitingOf } from './index-news.ts';
import { type LinkedFrom, linkedFrom } from './linked-from.ts';
import { recordChange, type WriteRequest } from './write-context.ts';

export interface Deletion extends LinkedFrom {
  /** In the spelling on disk. */
  readonly path: string;
  /** Whether it is (in a dry run: would be) gone for good. */
  readonly permanent: boolean;
  /** Where it is now, from the vault's root; null when it is gone for good, and in a dry run. */
  readonly trashed: string | null;
  /** Absent in a dry run. */
  readonly indexed?: IndexedState;
  /** Only in a dry run: nothing was changed. */
  readonly dry_run?: true;
}

/** Tells history and index that files are gone, and finds out meanwhile what still links to them. */
export async function announceDeletion(
  context: WriteContext,
  operation: string,
  paths: readonly VaultPath[],
  input: Omit<Parameters<typeof announceRemoved>[2], keyof ReturnType<typeof waitingOf>>,
  request: WriteRequest,
): Promise<LinkedFrom & Required<Pick<Deletion, 'indexed'>>> {
  const linking = linkedFrom(context, paths);
  recordChange(context, operation, request, paths);
  const indexing = announceRemoved(context, paths, { ...input, ...waitingOf(request) });
  const [linked, indexed] = await Promise.all([linking, indexing]);
  return { ...linked, indexed };
}
