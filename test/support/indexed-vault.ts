/**
 * A real vault folder with a real indexer over it (in-memory queue, lexical embedder by default): what flow tests and
 * the surfaces' end-to-end tests stand on. `settled()` waits for the product's own signals, never for a fixed time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComposedIndexer, composeIndexer } from '@vault-mcp/indexer/compose';
import { loadConfig } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { type Logger, silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';
import { fillVault, type PutFile, type VaultFiles } from './vault-files.ts';

export interface IndexedVaultOptions {
  readonly files?: VaultFiles;
  readonly watch?: boolean;
  readonly embedder?: Embedder;
  readonly queue?: JobQueue;
  readonly logger?: Logger;
  /** Environment variables of the configuration, e.g. `{ NOTE_MAX_BYTES: '1000' }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** An existing base folder (with `vault` and `data` in it): what a restart starts from. */
  readonly base?: string;
}

export interface IndexedVault {
  readonly base: string;
  readonly vaultPath: string;
  readonly config: Config;
  readonly queue: JobQueue;
  readonly embedder: Embedder;
  readonly reader: IndexReader;
  readonly composed: ComposedIndexer;
  readonly put: PutFile;
  /** Resolves when the text side is ready and the index says so, no job waits and no vector is pending (unless told not to care). */
  settled(options?: { vectors?: boolean; withinMs?: number }): Promise<void>;
  /** Resolves when `check` holds; fails with the last error or value after 20 s, or as long as told. */
  until(check: () => boolean | Promise<boolean>, what: string, withinMs?: number): Promise<void>;
  /** Stops the indexer; keeps the folder for a restart with `base`. */
  stop(): Promise<void>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

export async function indexVault(options: IndexedVaultOptions = {}): Promise<IndexedVault> {
  const base = options.base ?? mkdtempSync(join(tmpdir(), 'vault-mcp-'));
  const vaultPath = join(base, 'vault');
  const put = fillVault(vaultPath, options.files);
  const config = testConfig(base, options.env);
  const logger = options.logger ?? silentLogger();
  const embedder = options.embedder ?? (await createEmbedder(config.embedding, { logger }));
  const queue = options.queue ?? createInMemoryQueue();
  const composed = await composeIndexer(config, { queue, embedder, logger, watch: options.watch ?? false });
  const reader = openIndexReader(config.index.path);
  await composed.indexer.start();

  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    reader.close();
    await composed.close({ timeoutMs: 5000 });
    await queue.close();
    if (!options.embedder) await embedder.close();
  };
  return {
    ...{ base, vaultPath, config, queue, embedder, reader, composed, put, until, stop },
    settled: ({ vectors = true, withinMs = UNTIL_MS } = {}) =>
      until(
        async () => {
          const { state, passes, waiting } = composed.indexer.build().state();
          const { depth } = await queue.stats();
          return (
            state === 'ready' &&
            passes > 0 &&
            waiting === 0 &&
            depth === 0 &&
            // What the other side is told, which comes a moment later.
            reader.indexerStatus()?.state === 'ready' &&
            (!vectors || reader.vectorsPending(null) === 0)
          );
        },
        'the indexer to settle',
        withinMs,
      ),
    async remove() {
      await stop();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** An embedded-mode configuration inside `base`, quick enough for tests: short debounce, lexical embedder. */
export function testConfig(base: string, env: Readonly<Record<string, string>> = {}): Config {
  return loadConfig({
    mode: 'embedded',
    cwd: base,
    env: {
      VAULT_PATH: join(base, 'vault'),
      DATA_PATH: join(base, 'data'),
      INDEX_PATH: join(base, 'data', 'index.db'),
      INDEX_CACHE_PATH: join(base, 'data', 'cache.db'),
      EMBED_PROVIDER: 'lexical',
      WATCH_DEBOUNCE_SECONDS: '0.05',
      VAULT_MCP_API_KEY: 'test-key',
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
}

const UNTIL_MS = 20_000;

async function until(
  check: () => boolean | Promise<boolean>,
  what: string,
  withinMs: number = UNTIL_MS,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let last: unknown = false;
  while (Date.now() < deadline) {
    try {
      if (await check()) return;
      last = false;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Gave up waiting for ${what}`, { cause: last });
}
