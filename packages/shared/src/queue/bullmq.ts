/**
 * The queue of the containers: BullMQ on Redis, so that several processes and machines share the work. Danger: an id
 * that Redis knows as active swallows a second add unless deduplication keeps the last one; and a handler that
 * holds the event loop for longer than the lock is run twice, so CPU work belongs into threads.
 */
import {
  type ConnectionOptions,
  type JobsOptions,
  Queue,
  UnrecoverableError,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../log.ts';
import { isJobName, QUEUE_NAMES, type QueueName, retryDelayMs, ticketFor } from './jobs.ts';
import {
  type ConsumeOptions,
  type Consumer,
  type HandlersFor,
  type JobQueue,
  KEPT_FAILED,
  PermanentJobError,
  type QueueStats,
} from './producer.ts';
import { type ConnectionState, connectRedis, watchConnection } from './redis-connection.ts';
import { assertHandlersComplete, runJob } from './run-job.ts';
import { settledWithin } from './settled-within.ts';

export interface BullmqOptions {
  /** `queue.redis_url` */
  readonly redisUrl: string;
  /** `queue.prefix`: keeps the queues of several vaults apart in one Redis */
  readonly prefix: string;
  readonly log: Logger;
  /** Redis is reachable again after it was not: what was added meanwhile was refused, so look for it. */
  readonly onReconnect?: () => void;
  /** Milliseconds a job is believed to be in good hands without a sign of life. */
  readonly lockMs?: number;
}

// Long enough for several seconds of blocked event loop, short enough that a killed worker's job is soon taken up.
const LOCK_MS = 30_000;
// Of a job whose worker died or stalled; beyond it the job is given up. Deployments restart workers, so more than one.
const MAX_STALLED = 3;
// Nobody reads BullMQ's event stream here.
const KEPT_EVENTS = 100;
const CLOSED = 'The job queue is closed.';
const UNFINISHED = ['waiting', 'prioritized', 'delayed', 'active'] as const;

/** Starts connecting and returns at once: a Redis that is away shows in `stats()` and in rejected adds. */
export function createBullmqQueue(options: BullmqOptions): JobQueue {
  const connection = connectRedis(options.redisUrl, 'producer', () => {});
  const state = watchConnection(connection, options.log, () => options.onReconnect?.());
  const queues = new Map<QueueName, Queue>();
  let closed = false;

  /** @throws Error that names Redis, at once when it is away; whatever a call fails of, it is Redis's failure */
  async function call<T>(name: QueueName, use: (queue: Queue) => Promise<T>): Promise<T> {
    if (closed) throw new Error(CLOSED);
    if (connection.status !== 'ready') throw new Error(state.error ?? 'Redis cannot be reached.');
    let queue = queues.get(name);
    if (!queue) {
      queue = openQueue(name, connection, options);
      queues.set(name, queue);
    }
    try {
      return await use(queue);
    } catch (error) {
      throw redisFailure(error, state);
    }
  }

  return {
    async add(name, payload) {
      const ticket = ticketFor(name, payload);
      await call(ticket.queue, (queue) =>
        queue.add(name, payload, {
          priority: ticket.priority,
          attempts: ticket.attempts,
          deduplication: {
            id: ticket.key,
            keepLastIfActive: ticket.whenActive === 'follow-up',
            // A job that waits for a retry gives way to fresh news instead of holding it up.
            replace: true,
          },
        }),
      );
    },
    async stats() {
      if (closed) return { ok: false, depth: 0, failed: 0, error: CLOSED };
      return readStats((name) => call(name, (queue) => queue.getJobCounts(...UNFINISHED, 'failed')));
    },
    async consume(queue, handlers, consumeOptions) {
      assertHandlersComplete(queue, handlers);
      if (closed) throw new Error(CLOSED);
      return startWorker(queue, handlers, consumeOptions, options);
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
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
    connection: asConnection(connection),
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
function redisFailure(error: unknown, state: ConnectionState): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(state.error ?? `Redis did not do what it was asked: ${reason}`, { cause: error });
}

async function readStats(countsOf: (name: QueueName) => Promise<Record<string, number>>): Promise<QueueStats> {
  try {
    const counts = await Promise.all(QUEUE_NAMES.map(countsOf));
    const sum = (key: string) => counts.reduce((total, count) => total + (count[key] ?? 0), 0);
    const depth = UNFINISHED.reduce((total, key) => total + sum(key), 0);
    return { ok: true, depth, failed: sum('failed'), error: null };
  } catch (error) {
    return { ok: false, depth: 0, failed: 0, error: (error as Error).message };
  }
}

function startWorker<Q extends QueueName>(
  queue: Q,
  handlers: HandlersFor<Q>,
  { concurrency, onError }: ConsumeOptions,
  options: BullmqOptions,
): Consumer {
  const connection = connectRedis(options.redisUrl, 'worker', () => {});
  const abort = new AbortController();
  const worker = new Worker(
    queue,
    async (job) => {
      const attempt = job.attemptsMade + 1;
      const lastAttempt = attempt >= (job.opts.attempts ?? 1);
      try {
        await runJob(handlers, job.name, job.data, { attempt, lastAttempt, signal: abort.signal });
      } catch (error) {
        const permanent = error instanceof PermanentJobError;
        onError({ error, job: { name: job.name, attempt, givenUp: permanent || lastAttempt } });
        throw permanent ? new UnrecoverableError(error.message) : error;
      }
    },
    workerOptions(connection, concurrency, options),
  );
  // Upkeep only: lost locks, stalled jobs. Connection trouble repeats on every try and is logged by the producer side.
  worker.on('error', (error) => {
    if (connection.status === 'ready') onError({ error });
  });

  let closing: Promise<boolean> | undefined;
  return {
    close({ timeoutMs }) {
      closing ??= closeWorker(worker, connection, abort, timeoutMs);
      return closing;
    },
  };
}

function workerOptions(connection: Redis, concurrency: number, options: BullmqOptions): WorkerOptions {
  const lockDuration = options.lockMs ?? LOCK_MS;
  return {
    connection: asConnection(connection),
    prefix: options.prefix,
    concurrency,
    skipVersionCheck: true,
    lockDuration,
    stalledInterval: lockDuration / 2,
    maxStalledCount: MAX_STALLED,
    settings: {
      backoffStrategy: (attemptsMade, _type, _error, job) =>
        job && isJobName(job.name) ? retryDelayMs(job.name, attemptsMade) : 0,
    },
  };
}

async function closeWorker(worker: Worker, connection: Redis, abort: AbortController, timeoutMs: number) {
  // Stops taking jobs at once and ends when those in hand are done; with Redis away that may be never.
  const finished = await settledWithin([worker.close()], timeoutMs);
  if (!finished) abort.abort(new Error('The queue consumer is closing.'));
  connection.disconnect();
  return finished;
}

/** BullMQ types the client it is given by a structure of its own; it tells an ioredis instance apart at run time. */
function asConnection(connection: Redis): ConnectionOptions {
  return connection as unknown as ConnectionOptions;
}
