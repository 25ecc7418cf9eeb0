/**
 * The contract both queue adapters keep (in-memory.ts, bullmq.ts; one suite runs over both). Danger: delivery is at
 * least once, so every handler is idempotent; and losing the whole queue must lose nothing, so whatever adds a job
 * is also found again by the next reconcile.
 */
import type { JobName, JobNameIn, JobPayload, QueueName } from './jobs.ts';

export interface QueueStats {
  /** False when the queue cannot be reached; `error` then says why and the numbers are 0. */
  readonly ok: boolean;
  /** Jobs not finished yet over all queues: waiting, waiting for a retry, or being worked on. */
  readonly depth: number;
  /** Jobs given up, the last `KEPT_FAILED` per queue at most. */
  readonly failed: number;
  readonly error: string | null;
}

/** How many jobs that were given up each queue remembers. */
export const KEPT_FAILED = 100;

export interface JobProducer {
  /**
   * Hands a job over; resolves once the queue holds it (or holds one that covers it). Rejects at once, never waits,
   * when the queue cannot be reached or is closed: the caller goes on and says the work is deferred.
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
}

export type JobHandler<N extends JobName> = (payload: JobPayload<N>, context: JobContext) => Promise<void>;

/** One handler per job of the queue: a missing one does not compile, and `consume` refuses it too. */
export type HandlersFor<Q extends QueueName> = { readonly [N in JobNameIn<Q>]: JobHandler<N> };

/** What went wrong: with one job's attempt, or (no `job`) with the consumer's own upkeep. */
export interface JobProblem {
  readonly error: unknown;
  readonly job?: { readonly name: string; readonly attempt: number; readonly givenUp: boolean };
}

export interface ConsumeOptions {
  /** Jobs worked on at a time; 1 or more. */
  readonly concurrency: number;
  /** Told of every failed attempt; must not throw. */
  readonly onError: (problem: JobProblem) => void;
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
}

/** Thrown by a handler for what another attempt cannot cure: the job is given up at once. */
export class PermanentJobError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'PermanentJobError';
  }
}
