/**
 * A real redis-server for tests: its own port, its own folder, append-only like the one we ship. Danger: a suite that
 * quietly does without proves nothing, so a missing redis-server is an error that names what to install.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { ServerCertificate } from './certificates.ts';
import { freePort } from './free-port.ts';
import { createTempFolder } from './temp-folder.ts';

export interface RedisServer {
  readonly url: string;
  /** Ends it by SIGKILL, as a crash or the kernel would. Its folder and port stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same folder, and waits until it answers. */
  restart(): Promise<void>;
  /** Stops every command for a while: the process is there and does not answer (SIGSTOP and SIGCONT). */
  freeze(): void;
  thaw(): void;
  /** Stops it and deletes its folder. Idempotent. */
  stop(): Promise<void>;
}

const START_ATTEMPTS = 5;
const PING_TRIES = 200;
const PING_PAUSE_MS = 25;

/**
 * Whether the redis-server here was built with TLS, which not all are. One that is missing does not count as built without:
 * starting it then says what to install.
 */
export function hasRedisTls(): boolean {
  // Ends at once either way: it is given no certificate.
  const { stdout, stderr } = spawnSync('redis-server', ['--port', '0', '--tls-port', '1'], { timeout: 20_000 });
  return !/Bad directive/i.test(`${stdout}${stderr}`);
}

/**
 * @param certificates with them it speaks TLS alone
 * @throws Error naming what to install when there is no redis-server, or with its output when it does not start
 */
export async function startRedisServer(
  extraArguments: readonly string[] = [],
  certificates?: ServerCertificate,
): Promise<RedisServer> {
  const folder = await createTempFolder('redis');
  let child: ChildProcess | undefined;
  let port = 0;

  // Between finding a free port and binding it another process may take it: then another port is tried.
  for (let attempt = 1; ; attempt += 1) {
    port = await freePort();
    try {
      child = await launch(port, folder.path, extraArguments, certificates);
      break;
    } catch (error) {
      if (attempt === START_ATTEMPTS || isMissing(error)) {
        await folder.remove();
        throw error;
      }
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child;
    child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    // A frozen process takes SIGKILL at once but SIGTERM only when it goes on.
    running.kill('SIGCONT');
    await exited;
  }

  return {
    url: `${certificates ? 'rediss' : 'redis'}://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    restart: async () => {
      child = await launch(port, folder.path, extraArguments, certificates);
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: async () => {
      await end('SIGTERM');
      await folder.remove();
    },
  };
}

async function launch(
  port: number,
  folder: string,
  extraArguments: readonly string[],
  certificates: ServerCertificate | undefined,
): Promise<ChildProcess> {
  const child = spawn(
    'redis-server',
    [...listening(port, certificates), '--bind', '127.0.0.1', '--dir', folder, '--save', '']
      .concat(['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'])
      .concat(extraArguments),
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  child.stdout.on('data', (data) => {
    output = (output + String(data)).slice(-4_000);
  });
  child.stderr.on('data', (data) => {
    output = (output + String(data)).slice(-4_000);
  });
  const failed = once(child, 'error').then(([error]) => {
    throw isMissing(error) ? missingMessage(error) : error;
  });
  const exited = once(child, 'exit').then(() => {
    throw new Error(`redis-server ended before it answered:\n${output}`);
  });
  // Only one of the three is waited for; the others must not count as unhandled later.
  failed.catch(() => {});
  exited.catch(() => {});
  await Promise.race([failed, exited, answers(port, certificates)]);
  return child;
}

function listening(port: number, certificates: ServerCertificate | undefined): string[] {
  if (certificates === undefined) return ['--port', String(port)];
  const { authority, certificate, key } = certificates;
  const files = ['--tls-ca-cert-file', authority, '--tls-cert-file', certificate, '--tls-key-file', key];
  return ['--port', '0', '--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
}

async function answers(port: number, certificates: ServerCertificate | undefined): Promise<void> {
  const probe = new Redis(port, '127.0.0.1', {
    ...{ retryStrategy: null, lazyConnect: true, maxRetriesPerRequest: 0 },
    // Who it is is for others to ask.
    ...(certificates && { tls: { rejectUnauthorized: false } }),
  });
  probe.on('error', () => {});
  try {
    for (let attempt = 0; attempt < PING_TRIES; attempt += 1) {
      try {
        if (probe.status !== 'ready') await probe.connect();
        // Loading its append-only file it answers with an error until it is done.
        await probe.ping();
        return;
      } catch {
        await sleep(PING_PAUSE_MS);
      }
    }
    throw new Error(`redis-server on port ${port} did not answer in ${(PING_TRIES * PING_PAUSE_MS) / 1000} s.`);
  } finally {
    probe.disconnect();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function missingMessage(cause: unknown): Error {
  const message =
    'These tests need a real redis-server and found none. Install it (Debian, Ubuntu: apt-get install redis-server; ' +
    'macOS: brew install redis), then run them again.';
  return Object.assign(new Error(message, { cause }), { code: 'ENOENT' });
}
