/**
 * Takes out of a slow lane what an earlier run of the writer asked for, perhaps otherwise than this one would: such a job
 * keeps its place against a new one for the same content. Danger: only for a lane whose every job can be asked for again.
 */
import type { Logger } from '../log.ts';
import { logDeferred } from './deferred.ts';
import type { JobQueue } from './producer.ts';

/** Jobs in work stay. Where the queue is away nothing is cleared, and that is logged. Never rejects. */
export async function clearLane(
  queue: Pick<JobQueue, 'clear'>,
  lane: 'embed' | 'extract',
  logger: Pick<Logger, 'debug' | 'error'>,
): Promise<void> {
  try {
    await queue.clear(lane);
  } catch (error) {
    logDeferred(logger, error, 'a lane could not be cleared', { lane });
  }
}
