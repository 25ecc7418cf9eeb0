/**
 * The slow lanes, consumed in the same way by the process that writes the index and by those that only work for it.
 * Danger: whoever consumes takes jobs away from others, so a lane without a handler is left alone.
 */
import type { Consumer, HandlersFor, JobProblem, JobQueue } from '@vault-mcp/shared/queue/producer';
import { EMBED_CONCURRENCY } from '../embed/embed-pending.ts';

/** Reads one document at a time: it is a process of its own, with a processor's worth of work. */
const EXTRACT_CONCURRENCY = 1;

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
  if (embed) consumers.push(await queue.consume('embed', embed, { concurrency: EMBED_CONCURRENCY, onError }));
  if (extract) consumers.push(await queue.consume('extract', extract, { concurrency: EXTRACT_CONCURRENCY, onError }));
  return consumers;
}

/** What a log line says of a job that failed. */
export function jobProblemDetails({ error, job }: JobProblem): Record<string, unknown> {
  const request = job?.requestId === undefined ? {} : { request_id: job.requestId };
  return { err: error, job: job?.name, attempt: job?.attempt, given_up: job?.givenUp, ...request };
}
