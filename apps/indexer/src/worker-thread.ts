/**
 * The indexer on a thread of the embedded program, so that requests never wait for parsing or SQLite writes. Starts from
 * the compiled file. Danger: it opens its own database handles (they cannot cross threads), and must answer `stop`, or
 * the program would end with a job in hand.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { connectBuiltinEmbedder } from '@vault-mcp/shared/embedding/builtin';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { resolveSpace } from '@vault-mcp/shared/embedding/settings';
import { AppError } from '@vault-mcp/shared/errors';
import { WriterLockedError } from '@vault-mcp/shared/index-db/writer-lock';
import { createLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { servePortProducer } from '@vault-mcp/shared/queue/port';
import { type ComposedIndexer, composeIndexer } from './compose.ts';
import type { FromIndexerThread, IndexerThreadData, ToIndexerThread } from './thread-protocol.ts';

const { config, jobPort, modelPort, watch } = workerData as IndexerThreadData;
const logger = createLogger({ name: 'indexer', level: config.log.level });
const queue = createInMemoryQueue();
let composed: ComposedIndexer | null = null;
let embedder: Embedder | null = null;

parentPort?.on('message', (message: ToIndexerThread) => void stop(message.timeoutMs));
await start();

async function start(): Promise<void> {
  try {
    embedder = modelPort
      ? connectBuiltinEmbedder(modelPort, resolveSpace(config.embedding))
      : await createEmbedder(config.embedding, { logger });
    composed = await composeIndexer(config, { queue, embedder, logger, watch });
    await composed.indexer.start();
    servePortProducer(jobPort, queue);
    say({ type: 'started' });
  } catch (error) {
    const locked = error instanceof WriterLockedError;
    const expected = locked || error instanceof AppError || error instanceof EmbedderError;
    if (!expected) logger.fatal({ err: error }, 'the indexer could not start');
    say({ type: 'refused', message: (error as Error).message, expected, locked });
    await stop(0);
  }
}

async function stop(timeoutMs: number): Promise<void> {
  await composed?.close({ timeoutMs });
  await queue.close();
  await embedder?.close();
  jobPort.close();
  say({ type: 'stopped' });
  parentPort?.close();
}

function say(message: FromIndexerThread): void {
  parentPort?.postMessage(message);
}
