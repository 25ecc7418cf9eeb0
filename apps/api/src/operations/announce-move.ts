/**
 * Tells the indexer what a move changed, and waits for it when asked to. Danger: the files are right by the time this
 * runs, so nothing here fails the call: what cannot be told is `deferred`, and found by the indexer's next scan.
 */
import type { Relocation } from '@vault-mcp/shared/vault/note/relocation';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { OperationContext } from '../context.ts';
import { announceRemoved, announceWritten, type IndexedState, type Waiting } from './index-news.ts';

/** How long a call waits for the index unless it says otherwise, in seconds (the product's contract). */
const WAIT_SECONDS = 5;

export interface MoveNews {
  readonly relocation: Relocation;
  /** Files that moved, as they were called before; what no index holds is passed over. */
  readonly movedFiles: readonly VaultPath[];
  /** The etag of each file whose links changed, as it is called now. */
  readonly written: ReadonlyMap<VaultPath, string>;
}

type NewsContext = Pick<OperationContext, 'config' | 'vault' | 'queue' | 'log' | 'reader'>;

/** @returns `indexed` once search knows all of it: the new names, the changed notes, and that the old names are gone */
export async function announceMove(
  context: NewsContext,
  { relocation, movedFiles, written }: MoveNews,
  waiting: Waiting = {},
): Promise<IndexedState> {
  // A file whose bytes stayed is known by its stat; no etag fits none.
  const now = new Map([...movedFiles.map((path) => [relocation.movedTo(path), ''] as const), ...written]);
  const { signal, requestId } = waiting;
  const told = await announceRemoved(context, movedFiles, { signal, requestId });
  if (told === 'deferred') return told;
  const states: IndexedState[] = [told];
  for (const [path, etag] of now) {
    const state = await announceWritten(context, path, etag, { signal, requestId });
    if (state === 'deferred') return state;
    states.push(state);
  }
  if (states.every((state) => state === 'excluded')) return 'excluded';
  return waiting.wait === 'indexed' ? untilKnown(context, movedFiles, now, waiting) : 'queued';
}

async function untilKnown(
  context: NewsContext,
  old: readonly VaultPath[],
  now: ReadonlyMap<VaultPath, string>,
  { timeout, ...waiting }: Waiting,
): Promise<IndexedState> {
  const end = performance.now() + (timeout ?? WAIT_SECONDS) * 1000;
  const inTime = () => ({ ...waiting, timeout: Math.max(0, (end - performance.now()) / 1000) });
  for (const [path, etag] of now) {
    const state = await announceWritten(context, path, etag, inTime());
    if (state === 'queued' || state === 'deferred') return state;
  }
  const state = await announceRemoved(context, old, inTime());
  return state === 'excluded' ? 'indexed' : state;
}
