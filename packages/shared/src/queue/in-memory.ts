/**
 * The queue of embedded mode: same semantics as bullmq.ts, held in this process's memory. Danger: nothing survives
 * the process, which is fine because the start-up reconcile finds whatever was lost.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type JobProgress,
  type JobTicket,
  QUEUE_NAMES,
  type QueueName,
  requestIdOf,
  retryDelayMs,
  ticketFor,
} from './jobs.ts';
import { createPriorityBuckets, type PriorityBuckets } from './priority-buckets.ts';
import {
  type ConsumeOptions,
  type Consumer,
  type HandlersFor,
  type JobContext,
  type JobCounts,
  type JobQueue,
  KEPT_FAILED,
  PermanentJobError,
  QueueAwayError,
  totalled,
} from './producer.ts';
import { assertHandlersComplete, runJob } from './run-job.ts';
import { settledWithin } from './settled-within.ts';

interface Entry {
  readonly name: Parameters<typeof retryDelayMs>[0];
  readonly payload: unknown;
  readonly ticket: JobTicket;
  state: 'waiting' | 'active' | 'delayed';
  attemptsMade: number;
  retryTimer?: NodeJS.Timeout;
  /** Of the attempt that is being made. */
  progress: JobProgress | null;
  /** The last add made while this one was active. */
  followUp?: Entry;
}

/** What a consumer gives each of its jobs. */
type Hand = Pick<JobContext, 'signal' | 'rest'>;

/** One queue: what waits, who is known by key, who works. */
interface Lane {
  waiting: PriorityBuckets<Entry>;
  readonly byKey: Map<string, Entry>;
  /** Each consumer's call to look for work. */
  readonly pumps: Set<() => void>;
  failed: number;
}

const NEW = { state: 'waiting', attemptsMade: 0, progress: null } as const;
const CLOSED = 'The job queue is closed.';

export function createInMemoryQueue(): JobQueue {
  const lanes = new Map<QueueName, Lane>(QUEUE_NAMES.map((name) => [name, createLane()]));
  let closed = false;

  return {
    async add(name, payload) {
      if (closed) throw new QueueAwayError(CLOSED);
      const ticket = ticketFor(name, payload);
      accept(laneOf(lanes, ticket.queue), { name, payload, ticket, ...NEW });
    },
    async stats() {
      if (closed) return { ok: false, depth: 0, failed: 0, error: CLOSED };
      const consumers = eachLane(lanes, ({ pumps }) => pumps.size);
      return { ok: true, ...totalled(eachLane(lanes, countsOf)), consumers, error: null };
    },
    async consume(queue, handlers, options) {
      assertHandlersComplete(queue, handlers);
      if (closed) throw new QueueAwayError(CLOSED);
      return startConsumer(laneOf(lanes, queue), handlers, options);
    },
    async clear(queue) {
      clearLane(laneOf(lanes, queue));
    },
    async inHand(queue) {
      const entries = [...laneOf(lanes, queue).byKey.values()];
      return entries
        .filter(({ state }) => state === 'active')
        .map(({ name, payload, progress }) => ({ name, payload, progress }));
    },
    async close() {
      closed = true;
      for (const lane of lanes.values()) {
        lane.pumps.clear();
        for (const entry of lane.byKey.values()) clearTimeout(entry.retryTimer);
        lane.byKey.clear();
      }
    },
  };
}

function createLane(): Lane {
  return { waiting: createPriorityBuckets(), byKey: new Map(), pumps: new Set(), failed: 0 };
}

function laneOf(lanes: ReadonlyMap<QueueName, Lane>, queue: QueueName): Lane {
  const lane = lanes.get(queue);
  if (!lane) throw new Error(`There is no queue "${queue}".`);
  return lane;
}

function eachLane<T>(lanes: ReadonlyMap<QueueName, Lane>, look: (lane: Lane) => T): Record<QueueName, T> {
  return Object.fromEntries([...lanes].map(([name, lane]) => [name, look(lane)])) as Record<QueueName, T>;
}

function countsOf({ byKey, failed }: Lane): JobCounts {
  let depth = 0;
  for (const entry of byKey.values()) depth += entry.followUp ? 2 : 1;
  return { depth, failed };
}

function clearLane(lane: Lane): void {
  lane.waiting = createPriorityBuckets();
  for (const [key, entry] of lane.byKey) {
    clearTimeout(entry.retryTimer);
    if (entry.state !== 'active') lane.byKey.delete(key);
  }
}

/** Deduplicates an incoming job against the one of the same key, if there is one. */
function accept(lane: Lane, incoming: Entry): void {
  const known = lane.byKey.get(incoming.ticket.key);
  if (known?.state === 'waiting') return;
  if (known?.state === 'active') {
    if (incoming.ticket.whenActive === 'follow-up') known.followUp = incoming;
    return;
  }
  // Waiting for a retry: fresh news does not wait with it.
  clearTimeout(known?.retryTimer);
  enqueue(lane, incoming);
}

function enqueue(lane: Lane, entry: Entry): void {
  entry.state = 'waiting';
  lane.byKey.set(entry.ticket.key, entry);
  lane.waiting.push(entry.ticket.priority, entry);
  for (const pump of lane.pumps) pump();
}

function startConsumer<Q extends QueueName>(lane: Lane, handlers: HandlersFor<Q>, options: ConsumeOptions): Consumer {
  const inHand = new Set<Promise<void>>();
  const abort = new AbortController();
  let restsUntil = 0;
  let restTimer: NodeJS.Timeout | undefined;

  const pump = (): void => {
    while (lane.pumps.has(pump) && inHand.size < options.concurrency && performance.now() >= restsUntil) {
      const entry = lane.waiting.take();
      if (!entry) return;
      entry.state = 'active';
      const work = attempt(lane, entry, handlers, options, hand).finally(() => {
        inHand.delete(work);
        pump();
      });
      inHand.add(work);
    }
  };
  const hand: Hand = {
    signal: abort.signal,
    rest(ms) {
      const end = performance.now() + ms;
      if (end <= restsUntil) return;
      restsUntil = end;
      clearTimeout(restTimer);
      // A timer may be a little early; what it begins must not find that it is still resting.
      restTimer = setTimeout(wake, ms);
      restTimer.unref();
    },
  };
  const wake = (): void => {
    restsUntil = 0;
    pump();
  };
  lane.pumps.add(pump);
  pump();

  let closing: Promise<boolean> | undefined;
  return {
    close({ timeoutMs }) {
      closing ??= (async () => {
        lane.pumps.delete(pump);
        clearTimeout(restTimer);
        const finished = await settledWithin([...inHand], timeoutMs);
        if (!finished) abort.abort(new Error('The queue consumer is closing.'));
        return finished;
      })();
      return closing;
    },
  };
}

async function attempt<Q extends QueueName>(
  lane: Lane,
  entry: Entry,
  handlers: HandlersFor<Q>,
  options: ConsumeOptions,
  hand: Hand,
): Promise<void> {
  // One turn of the event loop per job: a run of short jobs must not starve timers, sockets and other threads.
  await nextTurn();
  const number = entry.attemptsMade + 1;
  const lastAttempt = number >= entry.ticket.attempts;
  const report = (progress: JobProgress): void => {
    entry.progress = progress;
  };
  entry.progress = null;
  try {
    await runJob(handlers, entry.name, entry.payload, { attempt: number, lastAttempt, report, ...hand });
    settle(lane, entry);
  } catch (error) {
    const givenUp = lastAttempt || error instanceof PermanentJobError;
    entry.attemptsMade = number;
    if (givenUp) {
      lane.failed = Math.min(lane.failed + 1, KEPT_FAILED);
      settle(lane, entry);
    } else {
      retryLater(lane, entry);
    }
    const requestId = requestIdOf(entry.payload);
    const of = requestId === undefined ? {} : { requestId };
    options.onError({ error, job: { name: entry.name, attempt: number, givenUp, ...of } });
  }
}

/** Ends an active job's life and starts its follow-up, if one was asked for. */
function settle(lane: Lane, entry: Entry): void {
  // After close() the lane is empty and nothing may be put back.
  if (lane.byKey.get(entry.ticket.key) !== entry) return;
  lane.byKey.delete(entry.ticket.key);
  if (entry.followUp) enqueue(lane, entry.followUp);
}

function retryLater(lane: Lane, entry: Entry): void {
  if (lane.byKey.get(entry.ticket.key) !== entry) return;
  // The follow-up covers this one and is fresher, so it goes instead.
  if (entry.followUp) {
    enqueue(lane, entry.followUp);
    return;
  }
  entry.state = 'delayed';
  entry.retryTimer = setTimeout(() => enqueue(lane, entry), retryDelayMs(entry.name, entry.attemptsMade));
}
