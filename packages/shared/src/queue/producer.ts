/**
 * The contract both queue adapters keep (in-memory.ts, bullmq.ts; one suite runs over both). Danger: delivery is at
 * least once, so every handler is idempotent; and losing the whole queue must lose nothing, so whatever adds a job
 * is also found again by the next reconcile.
 */
import type { JobName, JobNameIn, JobPayload, JobProgress, QueueName } from './jobs.ts';

export interface JobCounts {
  readonly depth: number;
  readonly failed: number;
}

export interface QueueStats {
  /**
   * False when the queue cannot be reached, and the numbers are 0; or when it is there and takes no jobs, and they tell what
   * it holds. `error` then says why.
   */
  readonly ok: boolean;
  /**
   * Jobs not finished yet over all queues: waiting, waiting for a retry, or being worked on. A reconcile that was added
   * here is one until all files that it met have been looked at; the indexer's first is no job and counts as none. How
   * many files still wait is the indexer's to say (`IndexerStatus.waiting`).
   */
  readonly depth: number;
  /** Jobs given up, the last `KEPT_FAILED` per queue at most. */
  readonly failed: number;
  /** The same for each queue; left out when it cannot be reached. */
  readonly queues?: Readonly<Record<QueueName, JobCounts>>;
  /**
   * Who takes jobs from each queue right now, on whatever machine: connected consumers, resting ones included. Left out
   * where it cannot be told.
   */
  readonly consumers?: Readonly<Record<QueueName, number>>;
  readonly error: string | null;
}

/** What `stats` says of all queues together, and of each. */
export function totalled(queues: Readonly<Record<QueueName, JobCounts>>): JobCounts & Pick<QueueStats, 'queues'> {
  const all = Object.values(queues);
  const sum = (key: keyof JobCounts) => all.reduce((total, each) => total + each[key], 0);
  return { depth: sum('depth'), failed: sum('failed'), queues };
}

/** How many jobs that were given up each queue remembers. */
export const KEPT_FAILED = 100;

export interface JobProducer {
  /**
   * Hands a job over; resolves once the queue holds it (or holds one that covers it). Rejects at once, never waits,
   * with QueueAwayError when the queue cannot be reached, takes no jobs or is closed: the caller goes on and says the
   * work is deferred (see deferred.ts). Rejects with IndexedElsewhereError where this process hands no jobs over at all;
   * with anything else for a job that cannot be one, which is a defect.
   */
  add<N extends JobName>(name: N, payload: JobPayload<N>): Promise<void>;
  /** Never rejects. */
  stats(): Promise<QueueStats>;
  /** Lets go of connections and timers. Idempotent. Close consumers first. */
  close(): Promise<void>;
}

export interface JobContext {
  /** 1 for the first. */
  readonly attempt: number;
  /** True when a failure now is final. */
  readonly lastAttempt: boolean;
  /** Aborts when a closing consumer has waited for this job as long as it was told to. */
  readonly signal: AbortSignal;
  /**
   * Makes this consumer take no further job for a while, so that others get them. Jobs in hand go on, and one that is
   * just being fetched may still come. Asked again, the later end holds.
   */
  rest(ms: number): void;
  /** Says how far this attempt has come, for `inHand`. Never throws; may be called often, and the last word counts. */
  report(progress: JobProgress): void;
}

/** A job that somebody is working on right now, on whatever machine. */
export interface JobInHand {
  readonly name: string;
  /** As it was added; of another version perhaps. */
  readonly payload: unknown;
  /** What its handler last reported; null when it did not. */
  readonly progress: JobProgress | null;
}

export type JobHandler<N extends JobName> = (payload: JobPayload<N>, context: JobContext) => Promise<void>;

/** One handler per job of the queue: a missing one does not compile, and `consume` refuses it too. */
export type HandlersFor<Q extends QueueName> = { readonly [N in JobNameIn<Q>]: JobHandler<N> };

/** What went wrong: with one job's attempt, or (no `job`) with the consumer's own upkeep. */
export interface JobProblem {
  readonly error: unknown;
  readonly job?: {
    readonly name: string;
    readonly attempt: number;
    readonly givenUp: boolean;
    /** Of the call that caused the job, where it was one. */
    readonly requestId?: string;
  };
}

export interface ConsumeOptions {
  /** Jobs worked on at a time; 1 or more. */
  readonly concurrency: number;
  /** Told of every failed attempt; must not throw. */
  readonly onError: (problem: JobProblem) => void;
  /**
   * Nobody else may consume this queue, so a job that counts as being worked on was a dead predecessor's and is soon
   * taken up, instead of when its lock has run out.
   */
  readonly alone?: boolean;
}

export interface Consumer {
  /**
   * Takes no further job and waits for those in hand, `timeoutMs` at most; then aborts their signal and lets go.
   * @returns whether all in hand were finished; what was not runs again later. Idempotent.
   */
  close(options: { readonly timeoutMs: number }): Promise<boolean>;
}

export interface JobQueue extends JobProducer {
  /**
   * Starts working on a queue's jobs, most urgent first. Resolves without waiting for the queue to be reachable.
   * @throws Error when `handlers` lacks a job of the queue or names a foreign one
   */
  consume<Q extends QueueName>(queue: Q, handlers: HandlersFor<Q>, options: ConsumeOptions): Promise<Consumer>;
  /**
   * Drops the queue's jobs that nobody works on. Rejects when the queue cannot be reached. Only for whoever adds them
   * all and can add them again.
   */
  clear(queue: QueueName): Promise<void>;
  /**
   * What is being worked on; a dead worker's job at the latest until its lock has run out (bullmq-consumer.ts). Never
   * rejects: nothing while the queue cannot be reached.
   */
  inHand(queue: QueueName): Promise<readonly JobInHand[]>;
}

/** The queue is not there, or takes no jobs just now; whoever holds it tells of it, once. What was handed over is deferred. */
export class QueueAwayError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'QueueAwayError';
  }
}

/** This process takes no jobs, since another one that cannot be told indexes the vault: it sees changes by itself, soon. */
export class IndexedElsewhereError extends Error {
  constructor() {
    super('Another process keeps the index up to date; it looks for changes by itself.');
    this.name = 'IndexedElsewhereError';
  }
}

/** Thrown by a handler for what another attempt cannot cure: the job is given up at once. */
export class PermanentJobError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PermanentJobError';
  }
}
