/**
 * The slow lanes, consumed in the same way by the process that writes the index and by those that only work for it.
 * Danger: whoever consumes takes jobs away from others, so a lane without a handler is left alone.
 */
import type { Logger } from '@vault-mcp/shared/log';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import type { Consumer, HandlersFor, JobProblem, JobQueue } from '@vault-mcp/shared/queue/producer';
import { EMBED_CONCURRENCY } from '../embed/embed-pending.ts';

/** Reads one document at a time: it is a process of its own, with a processor's worth of work. */
const EXTRACT_CONCURRENCY = 1;

/**
 * What a job in hand gets to end in when its process stops, in milliseconds, if that has so much time. A batch of texts
 * takes seconds as a rule and is worth waiting for; a document may take an hour and is mostly not about to end. Either is
 * done again by whoever takes it next, so waiting longer would only bring the stop close to the kill that follows it.
 */
const STOP_MS = { embed: 4_000, extract: 2_000 } as const;

export interface LaneHandlers {
  readonly embed: HandlersFor<'embed'> | null;
  readonly extract: HandlersFor<'extract'> | null;
}

export async function consumeLanes(
  queue: JobQueue,
  { embed, extract }: LaneHandlers,
  onError: (problem: JobProblem) => void,
): Promise<Consumer[]> {
  const consumers: Consumer[] = [];
  if (embed) {
    const consumer = await queue.consume('embed', embed, { concurrency: EMBED_CONCURRENCY, onError });
    consumers.push(stoppedWithin(STOP_MS.embed, consumer));
  }
  if (extract) {
    const consumer = await queue.consume('extract', extract, { concurrency: EXTRACT_CONCURRENCY, onError });
    consumers.push(stoppedWithin(STOP_MS.extract, consumer));
  }
  return consumers;
}

function stoppedWithin(ms: number, consumer: Consumer): Consumer {
  return { close: ({ timeoutMs }) => consumer.close({ timeoutMs: Math.min(timeoutMs, ms) }) };
}

/** What a log line says of a job that failed. */
export function jobProblemDetails({ error, job }: JobProblem): Record<string, unknown> {
  const request = job?.requestId === undefined ? {} : { request_id: job.requestId };
  return { err: error, job: job?.name, attempt: job?.attempt, given_up: job?.givenUp, ...request };
}

/** Says that a job failed; where it could not hand its results on, it waits for the queue, of which others tell. */
export function logJobProblem(logger: Pick<Logger, 'debug' | 'error'>, problem: JobProblem): void {
  const { err, ...fields } = jobProblemDetails(problem);
  logDeferred(logger, err, 'a job failed', fields);
}
