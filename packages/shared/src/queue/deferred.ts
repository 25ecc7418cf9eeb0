/** What is logged by those who go on when a job could not be handed over, because a later look finds the work again. */
import { type Logger, reasonOf } from '../log.ts';
import { QueueAwayError } from './producer.ts';

/**
 * That the queue is away is said once by whoever watches it, so of each job it is for those who look closer. Any other
 * error is a defect of ours that nobody else would tell.
 * @param what the line's words; @param fields stand in it
 */
export function logDeferred(
  log: Pick<Logger, 'debug' | 'error'>,
  error: unknown,
  what: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  if (error instanceof QueueAwayError) log.debug({ ...fields, reason: reasonOf(error) }, what);
  else log.error({ ...fields, err: error }, what);
}
