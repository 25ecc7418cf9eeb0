/**
 * The index worked on by this process itself, for commands that run when no server holds it: the same indexer as
 * everywhere, with a queue in memory. Danger: it takes the writer's lock for as long as it is open.
 */
import { type ComposedIndexer, composeIndexer } from '@vault-mcp/indexer/compose';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';
import { settledWithin } from '@vault-mcp/shared/queue/settled-within';
import { documentsProgress } from './documents-progress.ts';
import type { IndexProgress } from './indexing-progress.ts';

export interface LocalIndex {
  readonly embedder: Embedder;
  readonly reader: IndexReader;
  readonly queue: JobQueue;
  /** Reconciles the index (emptied first on `rebuild`) with every file; resolves when all differing ones are known. */
  reconcile(options: { rebuild: boolean }): Promise<void>;
  /** How far the work has come. */
  progress(): Promise<IndexProgress>;
  /** Waits, though not for long, until the index knows that what comes next comes after all that it holds: see LinkUpkeep. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Ctrl-C must not hang on a batch being embedded; what is cut off is embedded next time. */
const CLOSE_TIMEOUT_MS = 5_000;
/** Jobs of a slow embedder may keep it from being settled; what is left open costs only links that cannot be mended unasked. */
const SETTLE_TIMEOUT_MS = 2_000;

/**
 * @param options.watch keep following the vault
 * @throws WriterLockedError when another process writes this index; AppError, EmbedderError as opening throws them
 */
export async function openLocalIndex(config: Config, log: Logger, options: { watch: boolean }): Promise<LocalIndex> {
  const embedder = await createEmbedder(config.embedding, { logger: log });
  const queue = createInMemoryQueue();
  let composed: ComposedIndexer;
  try {
    composed = await composeIndexer(config, { queue, embedder, logger: log, watch: options.watch });
  } catch (error) {
    await embedder.close();
    throw error;
  }
  const reader = openIndexReader(config.index.path);
  const local: LocalIndex = {
    embedder,
    reader,
    queue,
    reconcile: (reconcileOptions) => composed.indexer.build().run(reconcileOptions),
    progress: () => readProgress(composed, { embedder, reader, queue }),
    async settle() {
      await settledWithin([composed.indexer.linksIdle()], SETTLE_TIMEOUT_MS);
    },
    async close() {
      reader.close();
      await composed.close({ timeoutMs: CLOSE_TIMEOUT_MS });
      await queue.close();
      await embedder.close();
    },
  };
  try {
    await composed.indexer.start();
  } catch (error) {
    await local.close();
    throw error;
  }
  return local;
}

async function readProgress(
  composed: ComposedIndexer,
  { embedder, reader, queue }: Pick<LocalIndex, 'embedder' | 'reader' | 'queue'>,
): Promise<IndexProgress> {
  const { state, error, ...build } = composed.indexer.build().state();
  // What a reconcile that still compares has stored may not be committed yet.
  const waiting = build.waiting + build.comparing;
  const { depth } = await queue.stats();
  const { ok, provider, model, error: embedderError } = embedder.health();
  return {
    state,
    error,
    waiting,
    // The files that a reconcile met are no jobs.
    idle: depth === 0 && waiting === 0,
    counts: reader.counts(),
    documents: documentsProgress(reader),
    embedder: { ok, provider, model, error: embedderError ?? null },
  };
}
