/**
 * Opens connections to Redis for the two ways we use it, and keeps an eye on one of them. Danger: ioredis throws
 * `error` events at the process when nobody listens, and by default queues commands for ever while Redis is away;
 * both are decided here, once.
 */
import type { ConnectionOptions } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { createOutageLog, type Logger } from '../log.ts';

/** `producer`: a command fails at once when Redis is away. `worker`: it waits for Redis to come back. */
export type ConnectionUse = 'producer' | 'worker';

// A Redis that accepts connections but does not answer (stopped, swapping) must not hold a request for longer.
const PRODUCER_COMMAND_TIMEOUT_MS = 3_000;
const RECONNECT_STEP_MS = 100;
const RECONNECT_MAX_MS = 2_000;

const OPTIONS: Record<ConnectionUse, Omit<RedisOptions, 'replyMapping'>> = {
  producer: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: PRODUCER_COMMAND_TIMEOUT_MS },
  worker: { maxRetriesPerRequest: null },
};

/**
 * Starts connecting; returns at once and goes on trying for as long as it takes.
 * @param url `redis://` or `rediss://`
 * @param onError every connection error, so that none is thrown at the process
 */
export function connectRedis(url: string, use: ConnectionUse, onError: (error: Error) => void): Redis {
  const connection = new Redis(url, {
    ...OPTIONS[use],
    retryStrategy: (tries) => Math.min(tries * RECONNECT_STEP_MS, RECONNECT_MAX_MS),
  });
  connection.on('error', onError);
  return connection;
}

/** BullMQ types the client it is given by a structure of its own; it tells an ioredis instance apart at run time. */
export function asBullmqConnection(connection: Redis): ConnectionOptions {
  return connection as unknown as ConnectionOptions;
}

/** What is known about reaching Redis right now; `error` is the reason when it cannot be reached. */
export interface ConnectionState {
  ready: boolean;
  error: string | null;
  /** Set by whoever ends the connection: then its end is no loss. */
  ended: boolean;
}

/**
 * Follows a connection's state, logs each change once (not each failed try), and checks what a queue needs of Redis.
 * @param onBack Redis is there again after it was not, a first failed connect included
 */
export function watchConnection(connection: Redis, log: Logger, onBack: () => void): ConnectionState {
  const state: ConnectionState = { ready: false, error: 'Redis has not been reached yet.', ended: false };
  const outage = createOutageLog(log, { away: 'Redis cannot be reached; trying on', back: 'Redis is back' });
  let missed = false;

  connection.on('error', (error: Error) => {
    if (state.ended) return;
    const reason = connectionProblem(error, connection.options.tls !== undefined);
    outage.away(reason);
    missed = true;
    state.error = `Redis cannot be reached: ${reason}`;
  });
  connection.on('close', () => {
    if (state.ready && !state.ended) outage.away('the connection was lost');
    // Also before it was ready: a Redis that is just ending may take a connection and close it without an error.
    missed = true;
    state.ready = false;
    state.error ??= 'The connection to Redis was lost.';
  });
  connection.on('ready', () => {
    state.ready = true;
    state.error = null;
    warnAboutEviction(connection, log).catch((error: unknown) => {
      log.debug({ reason: String(error) }, 'Redis did not tell its eviction policy');
    });
    outage.back();
    if (missed) onBack();
    missed = false;
  });
  return state;
}

/** What OpenSSL and Node say of a certificate that they do not trust, by code; of another name or time they speak plainly. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]);

/**
 * What failed and what to set, in one line.
 * @param tls whether the connection was to be one over TLS
 */
export function connectionProblem(error: Error, tls: boolean): string {
  const { code } = error as NodeJS.ErrnoException;
  const said = error.message || code || error.name;
  if (code === undefined) return said;
  if (UNTRUSTED.has(code)) {
    return (
      `its certificate is not trusted (${said}). Give the certificate of the authority that signed it, a PEM file, in ` +
      'NODE_EXTRA_CA_CERTS, and start this program again.'
    );
  }
  // A Redis without TLS takes the first bytes for an unfinished command, and waits for the rest of it.
  if (tls && (code === 'ETIMEDOUT' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')) {
    return `${said}. If it does not speak TLS there, set REDIS_URL (queue.redis_url) to redis://, or to the port that does.`;
  }
  return said;
}

async function warnAboutEviction(connection: Redis, log: Logger): Promise<void> {
  const policy = /^maxmemory_policy:(\S+)/m.exec(await connection.info('memory'))?.[1];
  if (policy && policy !== 'noeviction') {
    log.warn({ policy }, 'Redis may evict jobs when its memory is full; set maxmemory-policy to noeviction');
  }
}
