/**
 * Hands on how far a job has come, at most once in a while: a document of thousands of pages reports each, and each would
 * be a trip to Redis. Danger: it speaks for a job that may end any moment, so nothing of it may fail the job.
 */
import type { JobProgress } from './jobs.ts';

export interface ProgressReport {
  /** Handed on at once, or when it is time; of several in between the last. */
  readonly report: (progress: JobProgress) => void;
  /** The job has ended: nothing more is handed on. */
  stop(): void;
}

/** Often enough for a person who watches. */
const EVERY_MS = 1_000;

/** @param send a rejection means that it could not be told, which the next report makes good */
export function createProgressReport(
  send: (progress: JobProgress) => Promise<unknown>,
  everyMs: number = EVERY_MS,
): ProgressReport {
  let latest: JobProgress | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const sendLatest = (): void => {
    timer = undefined;
    if (latest === null || stopped) return;
    const said = latest;
    latest = null;
    timer = setTimeout(sendLatest, everyMs);
    timer.unref();
    send(said).catch(() => {});
  };
  return {
    report(progress) {
      latest = progress;
      if (timer === undefined) sendLatest();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
