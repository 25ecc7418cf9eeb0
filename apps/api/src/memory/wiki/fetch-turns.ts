/**
 * How many sources are fetched at once: each may hold ten MiB and a connection for half a minute, and whoever asks decides how
 * often. Danger: a turn that is not given back is lost for all, so it is given back whatever becomes of the work.
 */
import { AppError } from '@vault-mcp/shared/errors';

export interface FetchTurnsOptions {
  readonly atOnce: number;
  readonly waitMs: number;
}

/** @throws AppError `locked` when no turn comes in time, or the signal ends the wait; the work has not begun then */
export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** In the order in which they were asked for. */
export function fetchTurns({ atOnce, waitMs }: FetchTurnsOptions): InTurn {
  const waiting = new Set<() => void>();
  let free = atOnce;

  function turn(signal: AbortSignal): Promise<void> {
    if (free > 0 && !signal.aborted) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        waiting.delete(begin);
      };
      const begin = (): void => {
        done();
        resolve();
      };
      const giveUp = (): void => {
        done();
        reject(
          new AppError('locked', 'Other sources are being fetched: nothing was fetched, send it again in a moment.'),
        );
      };
      const timer = setTimeout(giveUp, waitMs);
      if (signal.aborted) return giveUp();
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(begin);
    });
  }

  /** It goes to whoever waits longest, so that nobody who comes now is before them. */
  function giveBack(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  }

  return async (work, signal) => {
    await turn(signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
