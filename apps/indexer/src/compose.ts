/**
 * Puts an indexer together from a configuration, whatever queue and embedder it is given: the container program, the
 * embedded worker thread and one-shot commands all start here. Danger: it takes the writer's lock first, so that two
 * of them never write one index; whoever composes must call `close`.
 */
import { dirname } from 'node:path';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { programPlaces } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { spaceDigest } from '@vault-mcp/shared/embedding/space';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { acquireWriterLock, type WriterLock } from '@vault-mcp/shared/index-db/writer-lock';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { OthersAtWorkError } from '@vault-mcp/shared/vault/lock-owner';
import { dataFolder, mountError, probeDataFolders } from '@vault-mcp/shared/vault/mount-probe';
import { observePresence } from '@vault-mcp/shared/vault/presence';
import { sweepTempFiles } from '@vault-mcp/shared/vault/temp-files';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import { openCache } from './cache/cache.ts';
import type { EmbeddingIdentity } from './embed/lane-health.ts';
import { createIndexer, type Indexer } from './indexer.ts';
import { ALL_ROLES, type IndexerRole } from './roles.ts';
import { type IndexerSettings, indexerSettings } from './settings.ts';
import type { Chunker } from './sync/describe-file.ts';

export interface ComposedIndexer {
  readonly indexer: Indexer;
  /** Names the data folder whose lock is held, for the lease (see WriterLock). */
  readonly folder: string;
  /** Stops the indexer, closes index and cache, frees the lock. Queue and embedder stay the caller's. */
  close(options: { timeoutMs: number }): Promise<void>;
}

export interface ComposeParts {
  readonly queue: JobQueue;
  /** Null in a process without the embed role: others make the vectors, in the space that the configuration names. */
  readonly embedder: Embedder | null;
  readonly logger: Logger;
  /** Default all. `watch` and `write` among them. */
  readonly roles?: readonly IndexerRole[];
  /** False for one-shot commands: no watcher, no timer. */
  readonly watch: boolean;
  /** Default the product's chunker. */
  readonly chunk?: Chunker | undefined;
}

/**
 * @throws WriterLockedError when another process writes this index; MountError when data or index cannot be written; what
 * opening vault or index throws
 */
export async function composeIndexer(config: Config, parts: ComposeParts): Promise<ComposedIndexer> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const presence = await observePresence(vault.root);
  await probeDataFolders(config);
  const locks = takeLocks(config);
  const opened: { close(): void }[] = [];
  const letGo = () => {
    for (const part of opened) part.close();
    for (const lock of locks) lock.release();
  };
  try {
    const writer = openIndexWriter(config.index.path, { onGroupLost: (error) => indexer.filesLost(error) });
    opened.push(writer);
    const cache = openCache(config.index.cache_path, parts.logger);
    opened.push(cache);
    const settings = indexerSettings(config, { watch: parts.watch, places: programPlaces() });
    const pathLocks = writesNotes(settings) ? await openLocks(config, parts.logger) : null;
    if (pathLocks !== null) {
      opened.push(pathLocks);
      await sweepRoot(vault, pathLocks, parts.logger);
    }
    const indexer: Indexer = createIndexer({
      ...{ settings, vault, presence, writer, cache, locks: pathLocks },
      analyzer: createAnalyzer(config.search.language),
      chunk: parts.chunk,
      roles: parts.roles ?? ALL_ROLES,
      embedding: parts.embedder ?? configuredEmbedding(config),
      embedder: parts.embedder,
      queue: parts.queue,
      logger: parts.logger,
    });
    return {
      indexer,
      folder: locks.map(({ folder }) => folder).join(),
      async close(options) {
        try {
          await indexer.stop(options);
        } finally {
          letGo();
        }
      },
    };
  } catch (error) {
    letGo();
    throw error;
  }
}

function writesNotes({ catalog, links }: IndexerSettings): boolean {
  return catalog.offBecause === null || links.kinds.size > 0;
}

/** For what is written into the vault. @throws MountError */
async function openLocks({ data }: Config, logger: Logger): Promise<PathLocks> {
  try {
    return await openPathLocks(data.path, { logger });
  } catch (error) {
    if (error instanceof OthersAtWorkError) throw error;
    throw await mountError(dataFolder(data.path), error);
  }
}

/** What a crash of this program leaves of the index page; who serves the vault sweeps all of it. */
async function sweepRoot(vault: Vault, locks: PathLocks, logger: Logger): Promise<void> {
  const onProblem = ({ path, error }: { readonly path: string; readonly error: unknown }) =>
    logger.warn({ err: error, path }, 'a folder could not be cleared of temporary files');
  await sweepTempFiles(vault, locks, { recursive: false, onProblem });
}

/** @throws EmbedderError when the configuration does not say enough of the model */
function configuredEmbedding({ embedding }: Config): EmbeddingIdentity {
  const space = resolveSpace(embedding);
  return { provider: embedding.provider, model: space.model, dims: space.dims, space: spaceDigest(space) };
}

/** One writer per data folder, and per index where that stands elsewhere. */
function takeLocks(config: Config): WriterLock[] {
  const folders = new Set([config.data.path, dirname(config.index.path)]);
  const locks: WriterLock[] = [];
  try {
    for (const folder of folders) locks.push(acquireWriterLock(folder));
    return locks;
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}
