/**
 * The containers' two programs as processes on one real Redis: compiled, configured by the environment alone. What is
 * proven here holds for the images too, which start the same files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from './free-port.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { createTempFolder } from './temp-folder.ts';

const PROGRAMS = {
  api: join(import.meta.dirname, '../../apps/api/dist/main.js'),
  indexer: join(import.meta.dirname, '../../apps/indexer/dist/main.js'),
};
/** The operator's. */
export const KEY = 'key-of-the-two';
const UNTIL_MS = 40_000;

export interface Program {
  readonly child: ChildProcess;
  /** All of its standard error, once it has ended. */
  readonly errors: Promise<string>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export interface TwoPrograms {
  readonly vaultPath: string;
  readonly dataPath: string;
  /** Where the api listens, and the key to it. */
  readonly server: { readonly url: string; readonly key: string };
  readonly redis: RedisServer;
  /** Of the api that was given no port. */
  readonly url: string;
  startIndexer(environment?: Record<string, string>): Program;
  /** With a port of its own (`BIND_PORT`) another one beside the first. */
  startApi(environment?: Record<string, string>): Program;
  put(path: string, content: string): Promise<void>;
  /** Parsed JSON of a GET; rejects while nothing listens. */
  get(path: string): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Paths that a search finds. */
  search(query: string): Promise<string[]>;
  until(check: () => Promise<boolean>, what: string): Promise<void>;
  close(): Promise<void>;
}

/** @param startRedis in place of a plain one */
export async function twoPrograms(
  files: Readonly<Record<string, string>>,
  startRedis: () => Promise<RedisServer> = startRedisServer,
): Promise<TwoPrograms> {
  const folder = await createTempFolder('two-programs');
  const redis = await startRedis();
  const vaultPath = join(folder.path, 'vault');
  const dataPath = join(folder.path, 'data');
  const port = await freePort();
  const server = { url: `http://127.0.0.1:${port}`, key: KEY };
  const running: Program[] = [];
  const put = async (path: string, content: string) => {
    await mkdir(dirname(join(vaultPath, path)), { recursive: true });
    await writeFile(join(vaultPath, path), content);
  };
  for (const [path, content] of Object.entries(files)) await put(path, content);

  const start = (name: keyof typeof PROGRAMS, environment: Record<string, string> = {}): Program => {
    const child = spawn(process.execPath, [PROGRAMS[name]], {
      env: {
        PATH: process.env.PATH ?? '',
        VAULT_MCP_CONFIG: '',
        VAULT_MCP_API_KEY: KEY,
        VAULT_PATH: vaultPath,
        DATA_PATH: dataPath,
        INDEX_PATH: join(dataPath, 'index.db'),
        INDEX_CACHE_PATH: join(dataPath, 'cache.db'),
        EMBED_PROVIDER: 'lexical',
        WATCH_DEBOUNCE_SECONDS: '0.05',
        BIND_HOST: '127.0.0.1',
        BIND_PORT: String(port),
        REDIS_URL: redis.url,
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const program: Program = {
      child,
      errors: text(child.stderr as NodeJS.ReadableStream as never),
      async kill(signal) {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill(signal);
        await once(child, 'exit');
      },
    };
    running.push(program);
    return program;
  };
  const get = async (path: string) => {
    const response = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    ...{ vaultPath, dataPath, server, redis, put, get, until },
    url: `http://127.0.0.1:${port}`,
    startIndexer: (environment) => start('indexer', environment),
    startApi: (environment) => start('api', environment),
    async search(query) {
      const { body } = await get(`/search?k=20&q=${encodeURIComponent(query)}`);
      return ((body.results ?? []) as { path: string }[]).map(({ path }) => path);
    },
    async close() {
      await Promise.all(running.map((program) => program.kill('SIGKILL')));
      await redis.stop();
      await folder.remove();
    },
  };
}

async function until(check: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + UNTIL_MS;
  let last: unknown = false;
  while (Date.now() < deadline) {
    try {
      if (await check()) return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Gave up waiting for ${what}`, { cause: last });
}
