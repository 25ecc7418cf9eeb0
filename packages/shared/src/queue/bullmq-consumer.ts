/**
 * Working on jobs from BullMQ: one consumer of one queue. Danger: a job whose worker shows no sign of life for the length
 * of its lock is run by somebody else, so a handler that holds the event loop for that long is run twice (CPU work
 * belongs into threads), and every handler must be safe to repeat.
 */
import { UnrecoverableError, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { isJobName, type QueueName, requestIdOf, retryDelayMs } from './jobs.ts';
import {
  type ConsumeOptions,
  type Consumer,
  type HandlersFor,
  type JobProblem,
  PermanentJobError,
} from './producer.ts';
import { createProgressReport } from './progress-report.ts';
import { asBullmqConnection, connectRedis } from './redis-connection.ts';
import { runJob } from './run-job.ts';
import { settledWithin } from './settled-within.ts';

/** Where a consumer finds its queue, and how long it may be silent. */
export interface ConsumerPlace {
  /** `queue.redis_url` */
  readonly redisUrl: string;
  /** `queue.prefix`: keeps the queues of several vaults apart in one Redis */
  readonly prefix: string;
  /** Milliseconds a job is believed to be in good hands without a sign of life; default by queue. */
  readonly lockMs?: number;
}

/**
 * How long a killed worker's job is left alone, in milliseconds. The slow lanes wait for other programs and never hold
 * the event loop, so their locks are short: with the check each half of it, a job is taken over within 15 s. The index
 * queue's handlers may hold it for some seconds (a large transaction, a slow disk); it has one consumer, which frees what
 * its predecessor held (`alone`), so a long lock delays nothing there.
 */
const LOCK_MS: Readonly<Record<QueueName, number>> = { index: 30_000, extract: 10_000, embed: 10_000 };
/** How often jobs without a lock are looked for, at most. */
const STALLED_CHECK_MS = 5_000;
/** Of a job whose worker died or stalled; beyond it the job is given up. Deployments restart workers, so more than one. */
const MAX_STALLED = 3;
/** What an aborted job gets to end in, so that it goes back to the queue at once and not when its lock runs out. */
const GIVE_BACK_MS = 1_000;
/** What a consumer with nothing in hand gets to close in while Redis is not there: it may just be about to come. */
const REACH_REDIS_MS = 1_000;

/** Starts working at once, or as soon as Redis can be reached. */
export function startBullmqConsumer<Q extends QueueName>(
  queue: Q,
  handlers: HandlersFor<Q>,
  { concurrency, onError, alone = false }: ConsumeOptions,
  place: ConsumerPlace,
  /** Told of what upkeep fails of; true when that is said elsewhere. */
  isTold: (error: unknown) => boolean,
): Consumer {
  const connection = connectRedis(place.redisUrl, 'worker', () => {});
  const abort = new AbortController();
  const rest = createRest(() => worker);
  let inHand = 0;
  let cutOff = false;
  const worker = new Worker(
    queue,
    async (job) => {
      // Taken in the last moment: what is done with it could no longer be told, and somebody else takes it over.
      if (cutOff) throw new Error('The queue consumer is closed.');
      const attempt = job.attemptsMade + 1;
      const lastAttempt = attempt >= (job.opts.attempts ?? 1);
      inHand += 1;
      const progress = createProgressReport((said) => job.updateProgress(said));
      try {
        const hand = { signal: abort.signal, rest: rest.start, report: progress.report };
        await runJob(handlers, job.name, job.data, { attempt, lastAttempt, ...hand });
      } catch (error) {
        const permanent = error instanceof PermanentJobError;
        onError({ error, job: describeJob(job, attempt, permanent || lastAttempt) });
        throw permanent ? new UnrecoverableError(error.message) : error;
      } finally {
        progress.stop();
        inHand -= 1;
      }
    },
    workerOptions(queue, connection, concurrency, place),
  );
  // Upkeep only: lost locks, stalled jobs. Trouble with Redis repeats on every try and is logged by the producer side.
  worker.on('error', (error) => {
    // One of the worker's connections may be cut a moment before the other knows.
    if (connection.status === 'ready' && !isOfSocket(error) && !isTold(error)) onError({ error });
  });
  const started = alone ? freeOrphans(worker, connection) : Promise.resolve();
  started.then(() => worker.run()).catch((error: unknown) => worker.emit('error', error as Error));

  let closing: Promise<boolean> | undefined;
  return {
    close({ timeoutMs }) {
      rest.stop();
      const cutOffNow = () => {
        cutOff = true;
        connection.disconnect();
      };
      closing ??= closeWorker({ worker, connection, abort, isIdle: () => inHand === 0, cutOff: cutOffNow }, timeoutMs);
      return closing;
    },
  };
}

/** Whether the system said it of a connection, and not Redis of a call. */
function isOfSocket(error: NodeJS.ErrnoException): boolean {
  return error.syscall !== undefined;
}

function describeJob(
  job: { readonly name: string; readonly data: unknown },
  attempt: number,
  givenUp: boolean,
): NonNullable<JobProblem['job']> {
  const requestId = requestIdOf(job.data);
  return { name: job.name, attempt, givenUp, ...(requestId === undefined ? {} : { requestId }) };
}

function workerOptions(queue: QueueName, connection: Redis, concurrency: number, place: ConsumerPlace): WorkerOptions {
  const lockDuration = place.lockMs ?? LOCK_MS[queue];
  return {
    connection: asBullmqConnection(connection),
    prefix: place.prefix,
    concurrency,
    autorun: false,
    skipVersionCheck: true,
    lockDuration,
    stalledInterval: Math.min(lockDuration / 2, STALLED_CHECK_MS),
    maxStalledCount: MAX_STALLED,
    settings: {
      backoffStrategy: (attemptsMade, _type, _error, job) =>
        job && isJobName(job.name) ? retryDelayMs(job.name, attemptsMade) : 0,
    },
  };
}

/**
 * Makes the jobs that count as being worked on look like what they are, stalled: without a lock, met by an earlier check,
 * and the next check due. The one that a worker begins with then takes them up. Waits for Redis if it is away.
 */
async function freeOrphans(worker: Worker, connection: Redis): Promise<void> {
  const orphans = await connection.lrange(worker.toKey('active'), 0, -1);
  if (orphans.length === 0) return;
  const locks = orphans.map((id) => worker.toKey(`${id}:lock`));
  await connection.multi().del(locks).sadd(worker.toKey('stalled'), orphans).del(worker.toKey('stalled-check')).exec();
}

/** Pauses a worker for a while; the later end holds. */
function createRest(worker: () => Worker): { start(ms: number): void; stop(): void } {
  let until = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  return {
    start(ms) {
      const end = performance.now() + ms;
      if (stopped || end <= until) return;
      until = end;
      clearTimeout(timer);
      // Without waiting for the jobs in hand, of which the one that asks for the rest is one.
      void worker().pause(true);
      timer = setTimeout(() => worker().resume(), ms);
      timer.unref();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

interface Closing {
  readonly worker: Worker;
  readonly connection: Redis;
  readonly abort: AbortController;
  readonly isIdle: () => boolean;
  /** Ends the connection, and lets no job begin that it would have brought. */
  readonly cutOff: () => void;
}

async function closeWorker(
  { worker, connection, abort, isIdle, cutOff }: Closing,
  timeoutMs: number,
): Promise<boolean> {
  // Stops taking jobs at once and ends when those in hand are done; with Redis away that may be never.
  const closed = worker.close();
  const isAway = isIdle() && connection.status !== 'ready';
  const firstMs = isAway ? Math.min(timeoutMs, REACH_REDIS_MS) : timeoutMs;
  let finished = await settledWithin([closed], firstMs);
  // A job that came with the connection gets what others get.
  if (!finished && !isIdle()) finished = await settledWithin([closed], timeoutMs - firstMs);
  const done = finished || isIdle();
  if (!done) {
    abort.abort(new Error('The queue consumer is closing.'));
    await settledWithin([closed], GIVE_BACK_MS);
  }
  cutOff();
  // The worker has a connection of its own to wait on, which would go on trying for ever and keep the process alive.
  if (!finished) worker.disconnect().catch(() => {});
  return done;
}
