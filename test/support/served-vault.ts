/**
 * A small real vault, indexed by the real indexer and served by the real api on a free port: what contract tests of
 * the HTTP and MCP surfaces talk to. Everything is torn down by `close`.
 */
import { join } from 'node:path';
import type { ServedContext } from '@vault-mcp/api/context';
import { openWriting } from '@vault-mcp/api/open-writing';
import { startApi } from '@vault-mcp/api/start-api';
import { composeIndexer } from '@vault-mcp/indexer/compose';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { expect, vi } from 'vitest';
import { operationContext } from './reading-context.ts';
import { createTempFolder } from './temp-folder.ts';
import { fillVault, type VaultFiles } from './vault-files.ts';

export const API_KEY = 'a-key-for-tests';
export const METRICS_KEY = 'a-key-for-scrapes';
export const ABOUT = { version: '1.2.3', revision: 'abc123', source: null, licence: 'MIT', startedAt: Date.now() };

export interface ServedVault {
  readonly url: string;
  readonly vaultPath: string;
  readonly context: ServedContext;
  /** `fetch` below the server's URL with the key; headers given win. */
  get(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface ServedVaultOptions {
  /** In place of the real parts, such as a clock that stands still. */
  readonly parts?: Partial<ServedContext>;
  /** False: no indexer ever reads the vault, which is served at once. Default true. */
  readonly indexed?: boolean;
}

/**
 * @param overrides configuration keys, dotted
 */
export async function serveVault(
  files: VaultFiles,
  overrides: Readonly<Record<string, unknown>> = {},
  { parts = {}, indexed = true }: ServedVaultOptions = {},
): Promise<ServedVault> {
  const folder = await createTempFolder('served');
  const vaultPath = join(folder.path, 'vault');
  fillVault(vaultPath, files);
  const config = loadConfig({
    mode: 'embedded',
    env: { VAULT_MCP_CONFIG: '' },
    overrides: {
      'vault.path': vaultPath,
      'data.path': join(folder.path, 'data'),
      'embedding.provider': 'lexical',
      'server.port': 0,
      'server.metrics_key': METRICS_KEY,
      ...overrides,
    },
  });
  const log = silentLogger();
  const embedder = await createEmbedder(config.embedding, { logger: log });
  const queue = createInMemoryQueue();
  const indexer = indexed ? await composeIndexer(config, { queue, embedder, logger: log, watch: false }) : null;
  await indexer?.indexer.start();
  const reader = openIndexReader(config.index.path);
  const reading = await operationContext({ config, reader, embedder, queue });
  const writing = await openWriting(config, reading.vault, log);
  const context = { ...reading, ...writing.parts, ...parts };
  await writing.recover(context);
  const server = await startApi(context, { apiKey: API_KEY, about: ABOUT });
  const get = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { authorization: `Bearer ${API_KEY}`, ...init.headers } });
  const settled = async () => {
    expect((await get('/readyz')).status).toBe(200);
    expect(reader.vectorsPending(null)).toBe(0);
    // Documents are extracted by jobs of their own.
    expect((await queue.stats()).depth).toBe(0);
  };
  if (indexed) await vi.waitFor(settled, { timeout: 60_000, interval: 50 });
  return {
    url: server.url,
    vaultPath,
    context,
    get,
    async close() {
      await server.close();
      await indexer?.close({ timeoutMs: 5000 });
      await queue.close();
      await embedder.close();
      reader.close();
      writing.close();
      await folder.remove();
    },
  };
}
