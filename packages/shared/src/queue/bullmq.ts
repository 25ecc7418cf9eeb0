/**
 * The queue of the containers: BullMQ on Redis, so that several processes and machines share the work (consuming stands
 * in bullmq-consumer.ts). Danger: an id that Redis knows as active swallows a second add unless deduplication keeps the
 * last one.
 */
import { type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { type ConsumerPlace, startBullmqConsumer } from './bullmq-consumer.ts';
import { type JobTicket, jobProgress, QUEUE_NAMES, type QueueName, ticketFor } from './jobs.ts';
import {
  type JobCounts,
  type JobInHand,
  type JobQueue,
  KEPT_FAILED,
  QueueAwayError,
  type QueueStats,
  totalled,
} from './producer.ts';
import { asBullmqConnection, type ConnectionState, connectRedis, watchConnection } from './redis-connection.ts';
import { createRefusals, redisWords, tryOutWriting } from './refusals.ts';
import { assertHandlersComplete } from './run-job.ts';

export interface BullmqOptions extends ConsumerPlace {
  readonly log: Logger;
  /** Redis is reachable, or takes jobs, again after it did not: what was added meanwhile was refused, so look for it. */
  readonly onReconnect?: () => void;
}

// Nobody reads BullMQ's event stream here.
const KEPT_EVENTS = 100;
const CLOSED = 'The job queue is closed.';
const UNFINISHED = ['waiting', 'prioritized', 'delayed', 'active'] as const;

/**
 * Starts connecting and returns at once: a Redis that is away or takes no jobs shows in `stats()` and in rejected adds, and
 * is logged once.
 */
export function createBullmqQueue(options: BullmqOptions): JobQueue {
  const { log, prefix } = options;
  const connection = connectRedis(options.redisUrl, 'producer', () => {});
  const onReconnect = () => options.onReconnect?.();
  const state = watchConnection(connection, log, onReconnect);
  const tryOut = () => tryOutWriting(connection, prefix);
  const refusals = createRefusals({ log, tryOut, onAccepting: onReconnect });
  const queues = new Map<QueueName, Queue>();
  let closed = false;

  /** @throws QueueAwayError that names Redis, at once when it is away; TypeError for what cannot be sent at all */
  async function call<T>(name: QueueName, use: (queue: Queue) => Promise<T>): Promise<T> {
    if (closed) throw new QueueAwayError(CLOSED);
    if (connection.status !== 'ready') throw new QueueAwayError(state.error ?? 'Redis cannot be reached.');
    let queue = queues.get(name);
    if (!queue) {
      queue = openQueue(name, connection, options);
      queues.set(name, queue);
    }
    try {
      return await use(queue);
    } catch (error) {
      if (error instanceof TypeError) throw error;
      throw redisFailure(error, state);
    }
  }

  return {
    async add(name, payload) {
      const ticket = ticketFor(name, payload);
      await call(ticket.queue, async (queue) => {
        try {
          await queue.add(name, payload, jobOptions(ticket));
        } catch (error) {
          refusals.refused(error);
          throw error;
        }
      });
      refusals.accepted();
    },
    async stats() {
      if (closed) return { ok: false, depth: 0, failed: 0, error: CLOSED };
      const stats = await readStats((name, use) => call(name, use));
      return stats.ok && refusals.reason !== null ? { ...stats, ok: false, error: refusals.reason } : stats;
    },
    async consume(queue, handlers, consumeOptions) {
      assertHandlersComplete(queue, handlers);
      if (closed) throw new QueueAwayError(CLOSED);
      return startBullmqConsumer(queue, handlers, consumeOptions, options, (error) => refusals.met(error));
    },
    // Jobs that wait for a retry included.
    clear: (name) => call(name, (queue) => queue.drain(true)),
    inHand: (name) => call(name, (queue) => readInHand(queue, connection)).catch(() => []),
    async close() {
      if (closed) return;
      closed = true;
      state.ended = true;
      refusals.stop();
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

function jobOptions({ key, priority, attempts, whenActive }: JobTicket): JobsOptions {
  return {
    priority,
    attempts,
    deduplication: {
      id: key,
      keepLastIfActive: whenActive === 'follow-up',
      // A job that waits for a retry gives way to fresh news instead of holding it up.
      replace: true,
    },
  };
}

function openQueue(name: QueueName, connection: Redis, options: BullmqOptions): Queue {
  const defaultJobOptions: JobsOptions = {
    backoff: { type: 'job-table' },
    removeOnComplete: true,
    removeOnFail: { count: KEPT_FAILED },
    stackTraceLimit: 1,
  };
  const queue = new Queue(name, {
    connection: asBullmqConnection(connection),
    prefix: options.prefix,
    skipVersionCheck: true,
    defaultJobOptions,
    streams: { events: { maxLen: KEPT_EVENTS } },
  });
  // The connection's own listener has logged it already.
  queue.on('error', () => {});
  return queue;
}

/**
 * The client's own words for a connection that just went ("Stream isn't writeable …") name neither Redis nor what is
 * wrong with it, and come before its `close` event.
 */
function redisFailure(error: unknown, state: ConnectionState): QueueAwayError {
  return new QueueAwayError(state.error ?? `Redis did not do what it was asked: ${redisWords(error)}`, {
    cause: error,
  });
}

type UseQueue = <T>(name: QueueName, use: (queue: Queue) => Promise<T>) => Promise<T>;

async function readStats(call: UseQueue): Promise<QueueStats> {
  try {
    const counted = await Promise.all(QUEUE_NAMES.map(async (name) => [name, await readCounts(name, call)] as const));
    const consumers = await readConsumers(call);
    const queues = Object.fromEntries(counted) as Record<QueueName, JobCounts>;
    return { ok: true, ...totalled(queues), ...(consumers && { consumers }), error: null };
  } catch (error) {
    return { ok: false, depth: 0, failed: 0, error: (error as Error).message };
  }
}

async function readCounts(name: QueueName, call: UseQueue): Promise<JobCounts> {
  const counts = await call(name, (queue) => queue.getJobCounts(...UNFINISHED, 'failed'));
  const depth = UNFINISHED.reduce((total, key) => total + (counts[key] ?? 0), 0);
  return { depth, failed: counts.failed ?? 0 };
}

/** The most jobs in hand that are told of: as many workers are not to be expected. */
const TOLD_IN_HAND = 50;

/** Without those whose lock has run out: nobody works on them, and the next upkeep gives them to somebody. */
async function readInHand(queue: Queue, connection: Redis): Promise<JobInHand[]> {
  // A job that ends in between has no row any more.
  const jobs = (await queue.getActive(0, TOLD_IN_HAND - 1)).filter((job) => job?.id !== undefined);
  const locked = await Promise.all(jobs.map((job) => connection.exists(queue.toKey(`${job.id}:lock`))));
  return jobs
    .filter((_job, index) => locked[index] === 1)
    .map(({ name, data, progress }) => ({
      name,
      payload: data,
      progress: jobProgress.safeParse(progress).data ?? null,
    }));
}

/** Undefined where Redis does not say who is connected: some hosted ones, and users without the right to ask. */
async function readConsumers(call: UseQueue): Promise<Record<QueueName, number> | undefined> {
  try {
    const counted = await Promise.all(
      QUEUE_NAMES.map(async (name) => [name, await call(name, (queue) => queue.getWorkersCount())] as const),
    );
    return Object.fromEntries(counted) as Record<QueueName, number>;
  } catch {
    // What cannot be told is left out; that Redis is away shows in the counts.
    return undefined;
  }
}
