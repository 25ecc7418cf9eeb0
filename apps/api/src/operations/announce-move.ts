/**
 * Tells the indexer what a move changed, and waits for it when asked to. Danger: the files are right by the time this
 * runs, so nothing here fails the call: what cannot be told is `deferred`, and found by the indexer's next scan.
 */
import type { Relocation } from '@vault-mcp/shared/vault/note/relocation';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { OperationContext } from '../context.ts';
import { announce, type IndexedState, type Waiting } from './index-news.ts';

export interface MoveNews {
  readonly relocation: Relocation;
  /** Files that moved, as they were called before; what no index holds is passed over. */
  readonly movedFiles: readonly VaultPath[];
  /** The etag of each file whose links changed, as it is called now. */
  readonly written: ReadonlyMap<VaultPath, string>;
}

type NewsContext = Pick<OperationContext, 'config' | 'vault' | 'queue' | 'log' | 'reader'>;

/** @returns `indexed` once search knows all of it: the new names, the changed notes, and that the old names are gone */
export function announceMove(
  context: NewsContext,
  { relocation, movedFiles, written }: MoveNews,
  waiting: Waiting = {},
): Promise<IndexedState> {
  // A file whose bytes stayed is known by its stat; no etag fits none.
  const now = new Map([...movedFiles.map((path) => [relocation.movedTo(path), ''] as const), ...written]);
  return announce(context, { removed: movedFiles, written: now }, waiting);
}
