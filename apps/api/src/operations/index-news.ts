/**
 * Tells the indexer what a write changed, by the job the watcher would send, and waits for it when asked to. Danger:
 * the change is made by the time this runs, so nothing here may fail the call: what cannot be told is `deferred`, and
 * the indexer sees it by itself.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import { IndexedElsewhereError } from '@vault-mcp/shared/queue/producer';
import { indexedPaths } from '@vault-mcp/shared/vault/indexed-paths';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { OperationContext } from '../context.ts';
import { statKey } from './etag.ts';
import { indexedFile } from './indexed-file.ts';
import type { WriteRequest } from './write-context.ts';

/** How long a call waits for the index unless it says otherwise, in seconds (the product's contract). */
const WAIT_SECONDS = 5;
/** How often it looks, in milliseconds; a note is usually searchable within a few of these. */
const POLL_MS = 20;
/** Jobs handed over at once, and files asked for without a turn for others. */
const BATCH = 100;

/**
 * `queued`: the indexer has been told; `deferred`: it could not be reached and will see by itself; `excluded`: no such
 * path is indexed; `indexed`: search knows of the change.
 */
export type IndexedState = 'queued' | 'deferred' | 'excluded' | 'indexed';

/** How long somebody wants to wait. */
export interface Waiting {
  readonly wait?: 'indexed' | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of the call, so that the indexer's log lines name it. */
  readonly requestId?: string | undefined;
}

/** What of a request concerns the telling and the waiting. */
export function waitingOf({ signal, requestId }: WriteRequest): Pick<Waiting, 'signal' | 'requestId'> {
  return { signal, requestId };
}

type NewsContext = Pick<OperationContext, 'config' | 'vault' | 'queue' | 'log' | 'reader'>;

/** What has become of files, so that the index has to hear of them. */
export interface IndexNews {
  /** Not there any more. */
  readonly removed?: readonly VaultPath[];
  /** The etag of each file that is new or has new bytes; one whose etag is not known is known by its stat: ''. */
  readonly written?: ReadonlyMap<VaultPath, string>;
}

/** For a note that now has these bytes. */
export function announceWritten(
  context: NewsContext,
  path: VaultPath,
  etag: string,
  waiting: Waiting,
): Promise<IndexedState> {
  return announce(context, { written: new Map([[path, etag]]) }, waiting);
}

/**
 * For a document that now has these bytes.
 *
 * @param isOver whether search knows its text, or that there is none, or waiting for that is in vain; that its bytes are
 * listed is not enough
 */
export function announceFiled(
  context: NewsContext,
  path: VaultPath,
  etag: string,
  waiting: Waiting,
  isOver: () => Promise<boolean>,
): Promise<IndexedState> {
  return announce(context, { written: new Map([[path, etag]]) }, waiting, isOver);
}

/** For files that are not there any more. */
export function announceRemoved(
  context: NewsContext,
  paths: readonly VaultPath[],
  waiting: Waiting,
): Promise<IndexedState> {
  return announce(context, { removed: paths }, waiting);
}

/**
 * @param isKnown in place of asking for each file whether search knows what became of it
 * @returns `indexed` once search knows all of it
 */
export async function announce(
  context: NewsContext,
  { removed = [], written = new Map() }: IndexNews,
  waiting: Waiting,
  isKnown?: () => Promise<boolean>,
): Promise<IndexedState> {
  const { config, vault } = context;
  const isIndexed = indexedPaths({
    docSuffixes: vault.docSuffixes,
    excludeDirs: config.index.exclude_dirs,
    ignore: config.index.ignore,
  });
  const gone = removed.filter(isIndexed);
  const come = [...written].filter(([path]) => isIndexed(path));
  const concerned = [...gone, ...come.map(([path]) => path)];
  if (concerned.length === 0) return 'excluded';
  const told = await enqueue(context, concerned, waiting.requestId);
  const untilKnown = told === 'queued' ? 'queued' : 'deferred';
  if (told === 'unreachable' || waiting.wait !== 'indexed') return untilKnown;
  return (await becomesTrue(context, isKnown ?? knowsAll(context, gone, come), waiting)) ? 'indexed' : untilKnown;
}

/** Asks whether search knows; what it knows once is not asked for again, since an index takes in file by file. */
function knowsAll(
  context: NewsContext,
  gone: readonly VaultPath[],
  come: readonly (readonly [VaultPath, string])[],
): () => Promise<boolean> {
  const checks = [
    ...gone.map((path) => async () => hasForgotten(context.reader, path)),
    ...come.map(
      ([path, etag]) =>
        () =>
          knowsVersion(context, path, etag),
    ),
  ];
  let known = 0;
  return async () => {
    for (; known < checks.length; known++) {
      if (!(await checks[known]?.())) return false;
      // The index answers without giving anybody else a turn.
      if (known % BATCH === BATCH - 1) await nextTurn();
    }
    return true;
  };
}

async function enqueue(
  { queue, log }: NewsContext,
  paths: readonly VaultPath[],
  requestId: string | undefined,
): Promise<'queued' | 'elsewhere' | 'unreachable'> {
  const news = { source: 'news', ...(requestId === undefined ? {} : { request_id: requestId }) } as const;
  try {
    for (let from = 0; from < paths.length; from += BATCH) {
      const batch = paths.slice(from, from + BATCH);
      await Promise.all(batch.map((path) => queue.add('sync-path', { path, ...news })));
    }
    return 'queued';
  } catch (error) {
    if (error instanceof IndexedElsewhereError) return 'elsewhere';
    // The caller hears `deferred`.
    logDeferred(log, error, 'written files could not be queued for the index', {
      files: paths.length,
      ...(requestId && { request_id: requestId }),
    });
    return 'unreachable';
  }
}

async function becomesTrue({ log }: NewsContext, check: () => Promise<boolean>, waiting: Waiting): Promise<boolean> {
  const deadline = performance.now() + (waiting.timeout ?? WAIT_SECONDS) * 1000;
  try {
    for (;;) {
      if (await check()) return true;
      if (waiting.signal?.aborted || performance.now() >= deadline) return false;
      await pause(POLL_MS);
    }
  } catch (error) {
    log.warn({ err: error }, 'the index could not be asked for what was written');
    return false;
  }
}

/** Whether the index holds this version, or a later one that is on the disk by now. */
async function knowsVersion({ reader, vault }: NewsContext, path: VaultPath, etag: string): Promise<boolean> {
  const row = indexedFile(reader, path);
  if (row === undefined || row.state === 'quarantined') return false;
  if (row.sha256 === etag) return true;
  try {
    const { stat } = await vault.locate(path, { hints: false });
    return statKey(row.stat) === statKey(stat);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function hasForgotten(reader: IndexReader, path: VaultPath): boolean {
  try {
    return reader.fileByPath(path) === undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_ready') return false;
    throw error;
  }
}
