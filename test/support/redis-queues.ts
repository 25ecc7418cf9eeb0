/**
 * BullMQ queues on one real redis-server for a suite: each test gets a prefix of its own, so that tests share the
 * server and nothing else.
 */
import { randomUUID } from 'node:crypto';
import { silentLogger } from '@vault-mcp/shared/log';
import { type BullmqOptions, createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';
import { type ConnectionOptions, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { type RedisServer, startRedisServer } from './redis-server.ts';

export interface RedisQueues {
  readonly server: RedisServer;
  /** A queue that does not wait for Redis to be reached. */
  open(options?: Partial<BullmqOptions>): JobQueue;
  /** A queue whose Redis has answered. */
  openReady(options?: Partial<BullmqOptions>): Promise<JobQueue>;
  /** Adds any name and payload, past our table, to the queue as `queue` sees it. */
  addRaw(queue: JobQueue, name: 'index' | 'extract' | 'embed', job: string, payload: unknown): Promise<void>;
  closeAll(): Promise<void>;
  stop(): Promise<void>;
}

export async function openRedisQueues(): Promise<RedisQueues> {
  const server = await startRedisServer();
  const prefixes = new Map<JobQueue, string>();

  function open(options: Partial<BullmqOptions> = {}): JobQueue {
    const prefix = options.prefix ?? `test-${randomUUID()}`;
    const queue = createBullmqQueue({ redisUrl: server.url, log: silentLogger(), ...options, prefix });
    prefixes.set(queue, prefix);
    return queue;
  }

  return {
    server,
    open,
    async openReady(options) {
      const queue = open(options);
      await vi.waitUntil(async () => (await queue.stats()).ok, { timeout: 60_000, interval: 10 });
      return queue;
    },
    async addRaw(queue, name, job, payload) {
      const connection = new Redis(server.url);
      const raw = new Queue(name, {
        connection: connection as unknown as ConnectionOptions,
        prefix: prefixes.get(queue) ?? '',
      });
      await raw.add(job, payload);
      await raw.close();
      connection.disconnect();
    },
    async closeAll() {
      await Promise.all([...prefixes.keys()].map((queue) => queue.close()));
      prefixes.clear();
    },
    stop: () => server.stop(),
  };
}
