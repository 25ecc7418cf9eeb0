/**
 * Whose question is worked on next: one at a time, in the order in which they came. Pure but for its timers. Danger: a
 * question that was begun has seen files already, so who asks the same afterwards may not share its answer: it would miss
 * what was written in between; who asks before it is begun may.
 */
import { AppError } from '@vault-mcp/shared/errors';

/** As long as a call waits for a path (lock.ts). */
const WAIT_MS = 30_000;
/** Each of them is looked at in some hundred milliseconds. */
const MAX_WAITING = 32;

export interface SurveyTurns<Q> {
  /**
   * @param wait how long the caller waits, in milliseconds, where that is not as long as others do
   * @throws AppError `not_ready` when the answer does not come in time, or too many wait; and what the work throws
   */
  ask(question: Q, wait?: number): Promise<unknown>;
  /** Ends everything that waits for its turn. */
  end(reason: AppError): void;
}

export interface SurveyTurnsOptions<Q> {
  readonly waitMs?: number | undefined;
  readonly maxWaiting?: number | undefined;
  /** Whether who asks could ask it of one folder (`dir`). */
  readonly canBeNarrower?: ((question: Q) => boolean) | undefined;
}

/** A question with all who wait for its answer. */
interface Waiting {
  readonly work: () => Promise<unknown>;
  readonly answer: Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  waiters: number;
}

/** @param work answers one question; called again only once it has */
export function createSurveyTurns<Q>(
  work: (question: Q) => Promise<unknown>,
  options: SurveyTurnsOptions<Q>,
): SurveyTurns<Q> {
  const { waitMs = WAIT_MS, maxWaiting = MAX_WAITING, canBeNarrower = () => false } = options;
  /** By what is asked. */
  const waiting = new Map<string, Waiting>();
  let isBusy = false;

  const serve = (): void => {
    if (isBusy) return;
    for (const [key, next] of waiting) {
      waiting.delete(key);
      isBusy = true;
      void next
        .work()
        .then(next.resolve, next.reject)
        .finally(() => {
          isBusy = false;
          serve();
        });
      return;
    }
  };

  /** Answers when the question is answered, or when its caller has waited long enough; it goes on then, if it was begun. */
  const inTime = (key: string, one: Waiting, wait: number, isNarrow: boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      one.waiters++;
      const timer = setTimeout(() => {
        one.waiters--;
        if (one.waiters === 0 && waiting.get(key) === one) waiting.delete(key);
        reject(notInTime(wait, isNarrow));
      }, wait);
      one.answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });

  return {
    ask(question, wait = waitMs) {
      const key = JSON.stringify(question);
      let one = waiting.get(key);
      if (one === undefined) {
        if (waiting.size >= maxWaiting) return Promise.reject(tooMany(maxWaiting));
        one = waitingFor(() => work(question));
        waiting.set(key, one);
      }
      const answer = inTime(key, one, wait, !canBeNarrower(question));
      serve();
      return answer;
    },
    end(reason) {
      for (const one of waiting.values()) one.reject(reason);
      waiting.clear();
    },
  };
}

function waitingFor(work: () => Promise<unknown>): Waiting {
  const ends: Partial<Pick<Waiting, 'resolve' | 'reject'>> = {};
  const answer = new Promise<unknown>((resolve, reject) => {
    Object.assign(ends, { resolve, reject });
  });
  return { work, answer, waiters: 0, ...(ends as Pick<Waiting, 'resolve' | 'reject'>) };
}

function notInTime(waitMs: number, isNarrow: boolean): AppError {
  const message = `The notes are still being looked at after ${Math.round(waitMs / 1000)} seconds, as the first time on a slow disk. What was read is remembered: ask again in a moment${isNarrow ? '' : ', or for one folder (dir)'}.`;
  return new AppError('not_ready', message);
}

function tooMany(maxWaiting: number): AppError {
  const message = `${maxWaiting} other questions about all notes are waiting for their turn, so this one was not taken: ask again in a moment.`;
  return new AppError('not_ready', message);
}
