/**
 * The indexer by itself in this process: everything between a vault and its rows, and nobody who embeds. Danger: what waits
 * for vectors waits for good.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { createLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { composeIndexer } from '../apps/indexer/dist/compose.js';

/** Starts it on a vault with a new data folder, and waits until every note is in. */
export async function startLoneIndexer(vault) {
  const data = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-index-'));
  const config = loadConfig({
    mode: 'embedded',
    env: {},
    root: data,
    overrides: { 'vault.path': vault, 'embedding.provider': 'lexical', 'catalog.enabled': false },
    defaults: { 'data.path': data },
  });
  const queue = createInMemoryQueue();
  const logger = createLogger({ name: 'bench', level: 'error' });
  const parts = { queue, embedder: null, logger, roles: ['watch', 'write'], watch: false };
  const { indexer, close } = await composeIndexer(config, parts);
  await indexer.start();
  while (indexer.build().state().state !== 'ready') await sleep(2);
  return {
    queue,
    indexPath: config.index.path,
    async close() {
      await close({ timeoutMs: 5_000 });
      await queue.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
