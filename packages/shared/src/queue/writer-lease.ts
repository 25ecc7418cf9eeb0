/**
 * The lease that makes sure one process writes a vault's index, whatever machine it runs on: a key in Redis that its
 * holder renews and that runs out when the holder dies. It stands beside the data folder's lock, which two machines do
 * not share. Danger: Redis may be away, and then the holder goes on (it has the folder's lock); so on its return somebody
 * else may hold the lease, and whoever finds that must stop.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Logger, reasonOf } from '../log.ts';
import { connectRedis } from './redis-connection.ts';

/** Who holds the lease, as the holder wrote it down. */
const holderSchema = z.object({
  host: z.string(),
  pid: z.number(),
  since: z.string(),
  /** The data folder it writes in; see WriterLock. */
  folder: z.string(),
});
type LeaseHolder = z.infer<typeof holderSchema>;

/** Another process writes this vault's index; the message names it. */
export class WriterLeasedError extends Error {
  constructor(prefix: string, holder: LeaseHolder | null) {
    const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process';
    super(
      `The index of "${prefix}" (queue.prefix) is being written by ${who}. Stop that one first; for more speed start ` +
        'this one with INDEXER_ROLES=extract,embed; for another vault give it another QUEUE_PREFIX.',
    );
    this.name = 'WriterLeasedError';
  }
}

export interface WriterLease {
  /** Frees the lease, if it is still ours and Redis can be reached. Idempotent. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  /** `queue.redis_url` */
  readonly redisUrl: string;
  /** `queue.prefix` */
  readonly prefix: string;
  /** Names the data folder whose lock this process holds: a lease taken in the same folder is a dead process's. */
  readonly folder: string;
  readonly log: Logger;
  /** Somebody else holds the lease and is alive. Called once; this process must stop writing. */
  readonly onLost: (error: WriterLeasedError) => void;
  /** How long the lease outlives its holder, in milliseconds. */
  readonly leaseMs?: number;
}

/** How long a dead holder on another machine keeps a new one waiting, at most. */
const LEASE_MS = 12_000;
/** A holder renews this often within the lease: two tries may fail. */
const RENEWALS = 3;
/** How often a lease that somebody else holds is looked at before this process starts. */
const LOOK_MS = 250;
/** Redis counts a lease down; more than this above what it should be by now means that its holder renewed it. */
const SLACK_MS = 400;
/** A Redis that does not even refuse within this long counts as away. */
const REACH_MS = 3_000;

/** Takes or renews: nil when it is ours now, otherwise what stands there and for how many milliseconds. */
const TAKE = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] and held ~= ARGV[3] then return { held, redis.call('PTTL', KEYS[1]) } end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return nil`;

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * Takes the lease. Waits for one whose holder died to run out, or, when Redis is away, goes on without and takes it when
 * Redis is there (see `onLost`).
 * @throws WriterLeasedError when somebody else holds it and is alive
 */
export async function takeWriterLease(options: LeaseOptions): Promise<WriterLease> {
  const lease = new RedisLease(options);
  try {
    await lease.take();
  } catch (error) {
    await lease.release();
    throw error;
  }
  return lease;
}

interface Sight {
  readonly value: string;
  readonly leftMs: number;
  /** When it was seen, by this process's clock. */
  readonly at: number;
}

class RedisLease implements WriterLease {
  readonly #options: LeaseOptions;
  readonly #leaseMs: number;
  readonly #connection: Redis;
  readonly #key: string;
  readonly #mine: string;
  /** Somebody else's lease as it was first seen, to tell whether it is renewed. */
  #seen: Sight | null = null;
  /** What a dead process of this data folder left; it may be replaced. */
  #predecessor = '';
  #held = false;
  #timer: NodeJS.Timeout | null = null;
  #released = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#key = `${options.prefix}:writer`;
    const me: LeaseHolder = {
      host: hostname(),
      pid: process.pid,
      since: new Date().toISOString(),
      folder: options.folder,
    };
    this.#mine = JSON.stringify({ ...me, token: randomUUID() });
    this.#connection = connectRedis(options.redisUrl, 'producer', () => {});
  }

  async take(): Promise<void> {
    const { log } = this.#options;
    if (await isReached(this.#connection)) {
      while (!(await this.#tryOnce())) {
        if (this.#seen === null) break;
        await sleep(LOOK_MS);
      }
    }
    if (!this.#held) log.warn('Redis is away: starting without the writer’s lease, taking it when Redis is there');
    this.#timer = setInterval(() => void this.#beat(), this.#leaseMs / RENEWALS);
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    if (this.#timer) clearInterval(this.#timer);
    if (this.#held && this.#connection.status === 'ready') {
      await this.#connection.eval(RELEASE, 1, this.#key, this.#mine).catch(() => {
        // It runs out by itself.
      });
    }
    this.#connection.disconnect();
  }

  /** @returns whether the lease is ours; false with nothing seen means that Redis is away */
  async #tryOnce(): Promise<boolean> {
    let other: [string, number] | null;
    try {
      const args = [this.#mine, this.#leaseMs, this.#predecessor] as const;
      other = (await this.#connection.eval(TAKE, 1, this.#key, ...args)) as [string, number] | null;
    } catch (error) {
      this.#options.log.debug({ reason: reasonOf(error) }, 'the writer’s lease could not be renewed');
      this.#seen = null;
      return false;
    }
    if (other === null) {
      this.#held = true;
      this.#seen = null;
      return true;
    }
    this.#look(other[0], other[1]);
    return false;
  }

  /** @throws WriterLeasedError when the other's lease has been renewed since it was first seen */
  #look(value: string, leftMs: number): void {
    const { prefix, folder, log } = this.#options;
    const holder = holderOf(value);
    const now = performance.now();
    // The first sight stays what later ones are compared with: what never runs out counts as renewed, too.
    const before = this.#seen?.value === value ? this.#seen : null;
    this.#seen = before ?? { value, leftMs, at: now };
    // Only before the first time: a process that is alive and has a copy of this folder would be pushed out in turns.
    if (!this.#held && holder?.folder === folder && this.#predecessor !== value) {
      log.info({ since: holder.since }, 'taking over the writer’s lease of a process that ended in this data folder');
      this.#predecessor = value;
      return;
    }
    if (before === null) {
      const { host, pid, since } = holder ?? {};
      log.warn(
        { host, pid, since, wait_ms: leftMs },
        'another writer’s lease: waiting whether it is renewed or runs out',
      );
    } else if (leftMs > before.leftMs - (now - before.at) + SLACK_MS) {
      throw new WriterLeasedError(prefix, holder);
    }
  }

  async #beat(): Promise<void> {
    const { log, onLost } = this.#options;
    const before = this.#held;
    try {
      const held = await this.#tryOnce();
      if (held && !before) log.info('holding the writer’s lease');
    } catch (error) {
      if (this.#released) return;
      if (this.#timer) clearInterval(this.#timer);
      onLost(error as WriterLeasedError);
    }
  }
}

/** Whether a new connection gets through; false at its first failure. */
async function isReached(connection: Redis): Promise<boolean> {
  if (connection.status === 'ready') return true;
  return new Promise((resolve) => {
    const timer = setTimeout(settle, REACH_MS, false);
    function settle(reached: boolean): void {
      clearTimeout(timer);
      resolve(reached);
    }
    connection.once('ready', () => settle(true));
    connection.once('error', () => settle(false));
  });
}

function holderOf(value: string): LeaseHolder | null {
  try {
    return holderSchema.parse(JSON.parse(value));
  } catch {
    // Another version's, or not ours at all: it is held all the same.
    return null;
  }
}
