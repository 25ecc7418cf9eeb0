/**
 * The one process that watches the vault and writes its index; with the roles for it, it also extracts and embeds. Danger:
 * two of them would answer the same vault differently, so it takes the data folder's lock (compose) and, across machines,
 * the lease in Redis, and stops when the lease is somebody else's.
 */
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import { takeWriterLease } from '@vault-mcp/shared/queue/writer-lease';
import { composeIndexer } from './compose.ts';
import { openQueue, type RunningProgram } from './running-program.ts';

/** Two heartbeats of status.ts: one may come late. */
const HEARTBEAT_FRESH_MS = 10_000;

/**
 * @param onLost another process has become the writer; this one must be stopped
 * @throws WriterLockedError, WriterLeasedError when there is another writer; what opening vault or index throws
 */
export async function startWriter(
  config: Config,
  logger: Logger,
  onLost: (error: Error) => void,
): Promise<RunningProgram> {
  const { roles } = config.indexer;
  // In reverse order of opening. An open connection would keep the process alive after its refusal.
  const closers: (() => Promise<void>)[] = [];
  const letGo = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    let recover = () => {};
    const { queue, redisUrl } = openQueue(config, logger, () => recover());
    closers.push(() => queue.close());
    const embedder = roles.includes('embed') ? await createEmbedder(config.embedding, { logger }) : null;
    if (embedder) closers.push(() => embedder.close());
    const composed = await composeIndexer(config, { queue, embedder, logger, roles, watch: true });
    let timeoutMs = 0;
    closers.push(() => composed.close({ timeoutMs }));
    const { prefix } = config.queue;
    const lease = await takeWriterLease({ redisUrl, prefix, folder: composed.folder, log: logger, onLost });
    recover = () => void composed.indexer.recover();
    await composed.indexer.start();
    // What the api sees of it is what counts.
    const reader = openIndexReader(config.index.path);
    closers.push(async () => reader.close());
    return {
      async isWell() {
        const heartbeat = reader.indexerStatus()?.heartbeatMs ?? 0;
        return Date.now() - heartbeat <= HEARTBEAT_FRESH_MS;
      },
      async stop(options) {
        timeoutMs = options.timeoutMs;
        // Last, so that nobody writes while this one still does.
        closers.unshift(() => lease.release());
        await letGo();
      },
    };
  } catch (error) {
    await letGo();
    throw error;
  }
}
