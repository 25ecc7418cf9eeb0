/**
 * Indexer containers' programs on one real Redis, each with its own roles and its own data folder if any: compiled,
 * configured by the environment alone, killed as a container is. Danger: a worker must do without a vault and a data
 * folder, so it is told of none.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type FakeOllama, startFakeOllama } from './fake-ollama.ts';
import { type RedisServer, startRedisServer } from './redis-server.ts';
import { createTempFolder } from './temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '../../apps/indexer/dist/main.js');
/** Recognising a scan gives way to all else that a machine has to do. */
const UNTIL_MS = 150_000;

export interface IndexerProcess {
  readonly child: ChildProcess;
  /** What it has written to standard error so far. */
  log(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Its exit code, once it has ended. */
  ended(): Promise<number | null>;
}

export interface IndexerProcesses {
  readonly redis: RedisServer;
  readonly ollama: FakeOllama;
  readonly vaultPath: string;
  put(path: string, content: string | Buffer): Promise<void>;
  /** A process that writes the index, in a data folder of this name. */
  startWriter(environment?: Record<string, string>, data?: string): IndexerProcess;
  /** A process that only works for it, without any folder. */
  startWorker(roles: string, environment?: Record<string, string>): IndexerProcess;
  /** The environment's own choice, with nothing but Redis and the embedder. */
  start(environment: Record<string, string>): IndexerProcess;
  /** What the index in a data folder of this name says; null while there is none. */
  read<T>(look: (reader: IndexReader) => T, data?: string): T | null;
  until(check: () => boolean | Promise<boolean>, what: string): Promise<void>;
  close(): Promise<void>;
}

export async function indexerProcesses(files: Readonly<Record<string, string>>): Promise<IndexerProcesses> {
  const folder = await createTempFolder('indexers');
  const redis = await startRedisServer();
  const ollama = await startFakeOllama();
  const vault = join(folder.path, 'vault');
  const running: IndexerProcess[] = [];
  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(vault, path)), { recursive: true });
    await writeFile(join(vault, path), content);
  };
  await mkdir(vault);
  for (const [path, content] of Object.entries(files)) await put(path, content);

  const start = (environment: Record<string, string>): IndexerProcess => {
    const program = launch(folder.path, {
      REDIS_URL: redis.url,
      EMBED_PROVIDER: 'ollama',
      OLLAMA_URL: ollama.url,
      EMBED_BATCH_SIZE: '8',
      ...environment,
    });
    running.push(program);
    return program;
  };
  return {
    ...{ redis, ollama, vaultPath: vault, put, start, until },
    startWriter: (environment = {}, data = 'data') =>
      start({
        VAULT_PATH: vault,
        DATA_PATH: join(folder.path, data),
        WATCH_DEBOUNCE_SECONDS: '0.05',
        ...environment,
      }),
    startWorker: (roles, environment = {}) => start({ INDEXER_ROLES: roles, ...environment }),
    read(look, data = 'data') {
      try {
        const reader = openIndexReader(join(folder.path, data, 'index.db'));
        try {
          return look(reader);
        } finally {
          reader.close();
        }
      } catch {
        // Not there yet.
        return null;
      }
    },
    async close() {
      await Promise.all(running.map((program) => program.kill('SIGKILL')));
      await ollama.close();
      await redis.stop();
      await folder.remove();
    },
  };
}

function launch(cwd: string, environment: Record<string, string>): IndexerProcess {
  const child = spawn(process.execPath, [PROGRAM], {
    cwd,
    env: { PATH: process.env.PATH ?? '', VAULT_MCP_CONFIG: '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (data) => {
    log += String(data);
  });
  const exited = once(child, 'exit');
  return {
    child,
    log: () => log,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await exited;
    },
    async ended() {
      await exited;
      return child.exitCode;
    },
  };
}

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + UNTIL_MS;
  while (Date.now() < deadline) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Gave up waiting for ${what}`);
}
