/**
 * Removes rows of a record that are older than they are kept, once a day. Danger: a day's rows can be half a million, and
 * removing them takes a second in which the process does nothing else; so they go a few at a time, and never inside a
 * call.
 */
import type { Logger } from '../log.ts';

const DAY_MS = 86_400_000;
/** Rows removed at once, which takes about a millisecond, and the pause before the next, in milliseconds. */
const BATCH_ROWS = 500;
const PAUSE_MS = 20;

export interface PruningOptions {
  /** 0 keeps all. */
  readonly retentionDays: number;
  readonly logger: Logger;
  /** Clock in milliseconds. */
  now(): number;
}

export interface PrunedRows {
  /** For the log: `audit rows`. */
  readonly what: string;
  /** Removes at most so many that are of before a time, the oldest first. @returns how many; @throws the SQLite error */
  removeSome(beforeMs: number, limit: number): number;
}

export interface Pruning {
  /** Begins, if a day has passed since it last began. Removes nothing itself, never throws and never waits. */
  whenDue(): void;
  /** What is not removed by then goes another day. */
  stop(): void;
}

export function createPruning(rows: PrunedRows, { retentionDays, logger, now }: PruningOptions): Pruning {
  let begunAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function soon(before: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => remove(before), PAUSE_MS);
    // A process that has nothing else to do ends: the rest goes another day.
    timer.unref();
  }

  function remove(before: number): void {
    try {
      if (rows.removeSome(before, BATCH_ROWS) === BATCH_ROWS) soon(before);
    } catch (error) {
      if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) soon(before);
      else logger.warn({ err: error }, `old ${rows.what} could not be removed; tomorrow again`);
    }
  }

  return {
    whenDue() {
      if (retentionDays === 0 || now() - begunAt < DAY_MS) return;
      begunAt = now();
      soon(Math.round(begunAt - retentionDays * DAY_MS));
    },
    stop: () => clearTimeout(timer),
  };
}
