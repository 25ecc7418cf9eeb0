/**
 * A vault folder indexed by the product's own indexer in this process, without a server or a watcher, ready to be searched. The
 * index is made anew each time, so that it is what the code of today makes; vectors come from the cache where they are known.
 * Danger: figures over half an index look like bad search, so anything short of the whole is an error.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeIndexer } from '@vault-mcp/indexer/compose';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { loadConfig } from '@vault-mcp/shared/config/load';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { rememberVectors } from './vector-cache.mjs';

const LOOK_MS = 100;
const SAY_EVERY_MS = 5_000;
/** Looks without any progress after which nothing more is expected: no batch takes that long. */
const PATIENCE_MS = 300_000;

/**
 * @param {{vault: string, data: string, embedding: Record<string, string>, vectors: string | null, say: (line: string) => void,
 *   chunk?: import('@vault-mcp/indexer/sync/describe-file').Chunker, embedAs?: (text: string) => string}} options
 *   `data` is made and removed again; `embedding` is environment variables of the configuration; `vectors` is the cache's file, or null for none;
 *   `chunk` takes the product's chunker's place; `embedAs` gives what is embedded instead of a chunk's text
 * @returns search dependencies (as `search/search` takes them), the paths of what it can find and `close`
 * @throws Error when a file or a vector is missing at the end
 */
export async function indexVault({ vault, data, embedding, vectors, say, chunk, embedAs }) {
  const config = configOf(vault, data, embedding);
  const log = silentLogger();
  const queue = createInMemoryQueue();
  const made = await createEmbedder(config.embedding, {
    logger: log,
    queryTimeoutSeconds: config.search.embed_timeout_seconds,
  });
  const embedder = embeddingAs(embedAs, vectors === null ? made : rememberVectors(made, vectors));
  const composed = await composeIndexer(config, { queue, embedder, logger: log, watch: false, chunk });
  const reader = openIndexReader(config.index.path);
  const close = async () => {
    reader.close();
    await composed.close({ timeoutMs: 5_000 });
    await queue.close();
    await embedder.close();
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await composed.indexer.start();
    await untilWhole({ composed, queue, reader, embedder, say });
    const analyzer = createAnalyzer(config.search.language);
    const dependencies = { reader, analyzer, embedder, settings: config.search, log };
    return { dependencies, paths: searchedPaths(reader, vault), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function embeddingAs(embedAs, embedder) {
  if (embedAs === undefined) return embedder;
  return { ...embedder, embedDocuments: (texts, signal) => embedder.embedDocuments(texts.map(embedAs), signal) };
}

/** What a search without narrowing can find: a note that another one replaced is left out. */
function searchedPaths(reader, vault) {
  const superseded = new Set(reader.supersededRows().map(({ path }) => path));
  return readdirSync(vault, { recursive: true }).filter(
    (path) => !superseded.has(path) && reader.fileByPath(path) !== undefined,
  );
}

/** Nothing that the environment says: figures are of the defaults. */
function configOf(vault, data, embedding) {
  return loadConfig({
    mode: 'embedded',
    cwd: vault,
    env: {
      VAULT_PATH: vault,
      DATA_PATH: data,
      INDEX_PATH: join(data, 'index.db'),
      INDEX_CACHE_PATH: join(data, 'cache.db'),
      CATALOG_ENABLED: 'false',
      VAULT_MCP_API_KEY: 'relevance',
      LOG_LEVEL: 'silent',
      // On a busy machine a query's vector may take long: the figures are not about that.
      SEARCH_EMBED_TIMEOUT_SECONDS: '600',
      ...embedding,
    },
  });
}

async function untilWhole({ composed, queue, reader, embedder, say }) {
  let last = { key: '', at: Date.now(), said: Date.now() };
  for (;;) {
    const { state, passes, waiting, error } = composed.indexer.build().state();
    const { depth } = await queue.stats();
    const counts = reader.counts();
    if (state === 'failed') throw new Error(`The index could not be built: ${error}`);
    const published = reader.indexerStatus()?.state === 'ready';
    if (published && state === 'ready' && passes > 0 && waiting === 0 && depth === 0 && counts.pending === 0) {
      if (counts.failed + counts.quarantined === 0) return;
      throw new Error(`${counts.failed} chunks have no vector and ${counts.quarantined} files could not be read.`);
    }
    const key = JSON.stringify([waiting, counts]);
    if (key !== last.key) last = { ...last, key, at: Date.now() };
    const health = embedder.health();
    if (Date.now() - last.at > PATIENCE_MS) throw new Error(`Nothing more comes: ${health.error ?? 'no reason given'}`);
    if (Date.now() - last.said > SAY_EVERY_MS) {
      say(`${counts.notes} notes, ${counts.embedded} of ${counts.chunks} chunks embedded`);
      last.said = Date.now();
    }
    await sleep(LOOK_MS);
  }
}
