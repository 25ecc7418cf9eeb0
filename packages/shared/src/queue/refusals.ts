/**
 * A Redis that is there and takes no jobs: its memory or disk is full, it is a replica, or its user may not. Told once,
 * whoever meets it, and once when jobs are taken again. Danger: at the brim every other job is refused, so it counts as well again only when
 * nothing has been refused for a while; and nobody may have a job to hand over meanwhile, so it is tried out.
 */
import type { Redis } from 'ioredis';
import { createOutageLog, type Logger, reasonOf } from '../log.ts';

export interface Refusals {
  /** Why Redis takes no jobs just now; null as long as it does. */
  readonly reason: string | null;
  /** A job could not be added; what the connection failed of is passed over. */
  refused(error: unknown): void;
  /**
   * Somebody who works on jobs met an error.
   * @returns whether Redis refuses whatever is written, so that all has been said here
   */
  met(error: unknown): boolean;
  /** A job was added. */
  accepted(): void;
  /** Tells nothing more. */
  stop(): void;
}

export interface RefusalOptions {
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Writes something as a job would be written; rejects as long as Redis takes nothing. */
  readonly tryOut: () => Promise<unknown>;
  /** Jobs are taken again: look for what was refused meanwhile. */
  readonly onAccepting: () => void;
  /** Without a refusal for this long, in milliseconds, it counts as well again. */
  readonly calmMs?: number;
}

const CALM_MS = 5_000;

/**
 * What Redis says to every write, so that any one shows when it is over; the names stand in front, and within what an older
 * one says of a script. Other answers (no permission, an unknown command) are to what a job takes: only a job shows it.
 */
const ANY_WRITE = /\b(OOM|MISCONF|READONLY|LOADING|BUSY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN)\b/;
/** The client's own words for a command that got no answer in time. */
const NO_ANSWER = 'Command timed out';

export function createRefusals({ log, tryOut, onAccepting, calmMs = CALM_MS }: RefusalOptions): Refusals {
  const outage = createOutageLog(log, { away: 'Redis takes no jobs; trying on', back: 'Redis takes jobs again' });
  let reason: string | null = null;
  let ofAnyWrite = false;
  let refusedAt = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const isCalm = () => performance.now() - refusedAt >= calmMs;
  const settle = () => {
    clearTimeout(timer);
    reason = null;
    outage.back();
    onAccepting();
  };
  const lookLater = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), calmMs);
    timer.unref();
  };
  const look = async () => {
    const isTaken = await tryOut().then(
      () => true,
      () => false,
    );
    if (reason === null || stopped) return;
    // A timer may be a little early.
    if (isTaken && ofAnyWrite && isCalm()) settle();
    else lookLater();
  };
  const refused = (error: unknown) => {
    if (stopped || !isRefusal(error)) return;
    const said = refusalReason(error);
    outage.away(said);
    if (reason === null) lookLater();
    reason = `Redis takes no jobs: ${said}`;
    ofAnyWrite = isOfAnyWrite(error);
    refusedAt = performance.now();
  };
  return {
    get reason() {
      return reason;
    },
    refused,
    met(error) {
      if (!isRefusal(error) || !isOfAnyWrite(error)) return false;
      refused(error);
      return true;
    },
    accepted() {
      if (reason !== null && !stopped && isCalm()) settle();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Asks Redis for what a job takes: a script that writes below the queue's prefix, here what is gone at once. */
export async function tryOutWriting(connection: Redis, prefix: string): Promise<void> {
  await connection.eval("return redis.call('SET', KEYS[1], '', 'PX', 1)", 1, `${prefix}:try-out`);
}

/** An answer of Redis, or that none came; anything else is the connection's. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'ReplyError' || error.message === NO_ANSWER);
}

function isOfAnyWrite({ message }: Error): boolean {
  return message === NO_ANSWER || ANY_WRITE.test(message);
}

/** What Redis answered, without the script that it stopped in, which says nothing to anybody. */
export function redisWords(error: unknown): string {
  return reasonOf(error).replace(/\s*script: [0-9a-f]{40}.*$/s, '');
}

/** In Redis's words; what to do is ours to say where they do not. */
function refusalReason(error: Error): string {
  const said = redisWords(error);
  const advice = ADVICE.find(([kind]) => kind.test(said))?.[1];
  return advice === undefined ? said : `${said} ${advice}`;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/\bOOM\b/, 'Give Redis more memory (maxmemory), or wait until what it holds is worked off.'],
  [/\bREADONLY\b/, 'Set REDIS_URL (queue.redis_url) to the one that takes writes.'],
  [/^NOPERM\b/, 'Let the user in REDIS_URL (queue.redis_url) do that.'],
];
