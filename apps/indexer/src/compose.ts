/**
 * Puts an indexer together from a configuration, whatever queue and embedder it is given: the container program, the
 * embedded worker thread and one-shot commands all start here. Danger: it takes the writer's lock first, so that two
 * of them never write one index; whoever composes must call `close`.
 */
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { acquireWriterLock } from '@vault-mcp/shared/index-db/writer-lock';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';
import { observePresence } from '@vault-mcp/shared/vault/presence';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { openCache } from './cache/cache.ts';
import { createIndexer, type Indexer } from './indexer.ts';
import { indexerSettings } from './settings.ts';

export interface ComposedIndexer {
  readonly indexer: Indexer;
  /** Stops the indexer, closes index and cache, frees the lock. Queue and embedder stay the caller's. */
  close(options: { timeoutMs: number }): Promise<void>;
}

export interface ComposeParts {
  readonly queue: JobQueue;
  readonly embedder: Embedder;
  readonly logger: Logger;
  /** False for one-shot commands: no watcher, no timer. */
  readonly watch: boolean;
}

/** @throws WriterLockedError when another process writes this index; what opening vault or index throws */
export async function composeIndexer(config: Config, parts: ComposeParts): Promise<ComposedIndexer> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const presence = await observePresence(vault.root);
  const lock = acquireWriterLock(config.data.path);
  try {
    const writer = openIndexWriter(config.index.path, {
      onGroupLost: (error) => {
        parts.logger.error({ err: error }, 'a group of files could not be stored: looking at them again');
        void indexer.recover();
      },
    });
    const cache = openCache(config.index.cache_path, parts.logger);
    const indexer: Indexer = createIndexer({
      settings: indexerSettings(config, { watch: parts.watch }),
      ...{ vault, presence, writer, cache },
      analyzer: createAnalyzer(config.search.language),
      embedder: parts.embedder,
      queue: parts.queue,
      logger: parts.logger,
    });
    return {
      indexer,
      async close(options) {
        await indexer.stop(options);
        writer.close();
        cache.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
