/**
 * The indexer container's program: configuration from file and environment, BullMQ on Redis, everything else as in the
 * embedded program. Danger: it is the only writer of the index, so a second one must not start (compose takes the lock).
 */
import { ConfigError, loadConfig } from '@vault-mcp/shared/config/load';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { createLogger } from '@vault-mcp/shared/log';
import { programEndOf } from '@vault-mcp/shared/program-end';
import { createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import { composeIndexer } from './compose.ts';

/** Docker sends SIGKILL ten seconds after SIGTERM. */
const STOP_TIMEOUT_MS = 8_000;

try {
  await run();
} catch (error) {
  const { exitCode, text } = programEndOf(error);
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}

async function run(): Promise<void> {
  const config = loadConfig({ mode: 'containers' });
  if (!config.queue.redis_url) {
    throw new ConfigError([
      'REDIS_URL is not set. The indexer container needs it; for one process without Redis use `npm start`.',
    ]);
  }
  const logger = createLogger({ name: 'indexer', level: config.log.level });
  const embedder = await createEmbedder(config.embedding, { logger });
  let recover = () => {};
  const queue = createBullmqQueue({
    redisUrl: config.queue.redis_url,
    prefix: config.queue.prefix,
    log: logger,
    onReconnect: () => recover(),
  });
  const letGo = async () => {
    await queue.close();
    await embedder.close();
  };
  const composed = await composeIndexer(config, { queue, embedder, logger, watch: true }).catch(async (error) => {
    // An open connection would keep the process alive after its refusal.
    await letGo();
    throw error;
  });
  recover = () => void composed.indexer.recover();
  try {
    await composed.indexer.start();
  } catch (error) {
    await composed.close({ timeoutMs: 0 });
    await letGo();
    throw error;
  }

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    await composed.close({ timeoutMs: STOP_TIMEOUT_MS });
    await letGo();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}
