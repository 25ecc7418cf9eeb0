/** What the two shapes of the container's program have in common: both hold connections, and both can be stopped. */
import { ConfigError } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';

export interface RunningProgram {
  /** Whether it does its work: what the health check of its container is told. A rejection counts as no. */
  isWell(): Promise<boolean>;
  /** Finishes the jobs in hand, for so long at most, and lets go of everything. */
  stop(options: { timeoutMs: number }): Promise<void>;
}

/**
 * @param onReconnect Redis is there again after it was not
 * @throws ConfigError without a Redis
 */
export function openQueue(
  config: Config,
  log: Logger,
  onReconnect: () => void = () => {},
): { queue: JobQueue; redisUrl: string } {
  const { redis_url: redisUrl, prefix } = config.queue;
  if (!redisUrl) {
    throw new ConfigError([
      'REDIS_URL is not set. The indexer container needs it; for one process without Redis use `npm start`.',
    ]);
  }
  return { queue: createBullmqQueue({ redisUrl, prefix, log, onReconnect }), redisUrl };
}
