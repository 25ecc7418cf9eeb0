/**
 * How much faster the first embedding of a vault gets with more workers: the real indexer program, once with the roles
 * that write and 1, 2 and 4 times with the role that embeds, on a real Redis, with an embedder that takes its time. Danger:
 * all of it shares one machine here, so what is measured is the product's share of the work, not the embedder's.
 *
 *   npm run bench:scale-out                  6 000 notes; 1, 2 and 4 workers
 *   npm run bench:scale-out -- --notes 500 --workers 1,2
 *   npm run bench:scale-out -- --compose     docker-compose.yml with WORKERS=1, 2 and 4, on the help vault where it is at hand
 *   npm run bench:scale-out -- --extract     scans read by 1 and 2 workers instead; --scans 16
 *   npm run bench:scale-out -- --write       puts the table into bench/RESULTS.md
 *
 * `--group-ms` is the embedder's time for 8 texts.
 */
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { freePort } from './free-port.mjs';
import { helpVault } from './help-vault.mjs';
import { openComposed } from './scale-out-compose.mjs';
import { openExtraction } from './scale-out-extract.mjs';
import { cpuSeconds, end, killAll, read, start, startIndexer, startRedis, until } from './scale-out-programs.mjs';
import {
  COMMAND,
  COMPOSE_COMMAND,
  EXTRACT_COMMAND,
  renderExtraction,
  renderScaleOut,
  writeScaleOut,
} from './scale-out-report.mjs';

const { values: options } = parseArgs({
  options: {
    // Without it the help vault where that is at hand, or 6 000.
    notes: { type: 'string' },
    // Without it 1,2,4; with --extract 1,2.
    workers: { type: 'string' },
    extract: { type: 'boolean', default: false },
    scans: { type: 'string', default: '16' },
    'group-ms': { type: 'string', default: '50' },
    compose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const base = mkdtempSync(join(tmpdir(), 'vault-mcp-scale-out-'));
let composed = null;
try {
  if (options.extract) await benchExtraction();
  else await benchEmbedding();
} finally {
  composed?.close();
  killAll();
  rmSync(base, { recursive: true, force: true });
}

async function benchEmbedding() {
  const help = options.compose && options.notes === undefined ? helpVault() : null;
  const count = Number(options.notes ?? 6000);
  const vault = help?.path ?? makeVault(count);
  const notes = help ? 'the Obsidian help vault' : `${count} notes`;
  const embedder = await startEmbedder();
  if (options.compose) composed = await openComposed({ vault, embedder });
  const measureOne = composed ? composed.measure : (workers) => measure(vault, embedder, workers);
  const rows = await eachNumber(options.workers ?? '1,2,4', measureOne, (row) => {
    return `${row.chunks} chunks, ${row.sinceFirstSeconds.toFixed(1)} s of it since the first`;
  });
  const table = renderScaleOut(rows, { notes, groupMs: Number(options['group-ms']) });
  process.stdout.write(table);
  if (options.write) writeScaleOut(composed ? COMPOSE_COMMAND : COMMAND, table);
}

async function benchExtraction() {
  const measureOne = await openExtraction({ base, count: Number(options.scans) });
  const rows = await eachNumber(options.workers ?? '1,2', measureOne, ({ pages }) => `${pages} pages`);
  const table = renderExtraction(rows);
  process.stdout.write(table);
  if (options.write) writeScaleOut(EXTRACT_COMMAND, table);
}

async function eachNumber(numbers, measureOne, describe) {
  const rows = [];
  for (const workers of numbers.split(',').map(Number)) {
    const row = await measureOne(workers);
    process.stderr.write(`${workers} workers: ${row.seconds.toFixed(1)} s for ${describe(row)}\n`);
    rows.push(row);
  }
  return rows;
}

/** Notes of one to three chunks, every text its own. */
function makeVault(count) {
  const vault = join(base, 'vault');
  // Containers read it as another user.
  chmodSync(base, 0o755);
  for (let i = 0; i < count; i++) {
    const folder = join(vault, `Folder ${i % 60}`);
    mkdirSync(folder, { recursive: true });
    const paragraph = (part) => `Paragraph ${part} of note ${i}. `.repeat(8 + ((i * 7 + part) % 20));
    const sections = Array.from({ length: 1 + (i % 3) }, (_, part) => `## Part ${part}\n\n${paragraph(part)}\n`);
    writeFileSync(join(folder, `Note ${i}.md`), `# Note ${i}\n\n${sections.join('\n')}`);
  }
  return vault;
}

/**
 * With all text in the index the workers are started. Seconds from then until every chunk has its vector, and those of
 * them since the first had: starting many programs at once on one machine is no part of sharing work.
 */
async function measure(vault, embedder, workers) {
  const data = join(base, `data-${workers}`);
  const port = await freePort();
  const redis = await startRedis(port, join(base, `redis-${workers}`));
  const environment = {
    REDIS_URL: `redis://127.0.0.1:${port}`,
    EMBED_PROVIDER: 'ollama',
    OLLAMA_URL: embedder,
    LOG_LEVEL: 'error',
  };
  const writer = startIndexer({
    ...environment,
    INDEXER_ROLES: 'watch,write',
    VAULT_PATH: vault,
    DATA_PATH: data,
  });
  const index = join(data, 'index.db');
  await until(() => read(index, (reader) => reader.indexerStatus()?.state === 'ready'));
  const { chunks } = read(index, (reader) => reader.counts());
  const writerBefore = cpuSeconds(writer);
  const startedAt = performance.now();
  const helpers = Array.from({ length: workers }, (_, i) =>
    startIndexer({ ...environment, INDEXER_ROLES: 'embed', EMBED_API_KEY: `worker-${i}` }),
  );
  let firstAt = null;
  const reader = openIndexReader(index);
  await until(() => {
    const { embedded } = reader.counts();
    if (embedded > 0) firstAt ??= performance.now();
    return embedded === chunks;
  });
  reader.close();
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = {
    writer: cpuSeconds(writer) - writerBefore,
    worker: helpers.reduce((sum, child) => sum + cpuSeconds(child), 0) / workers,
    redis: cpuSeconds(redis),
  };
  for (const child of [writer, ...helpers, redis]) await end(child);
  const toFirstSeconds = (firstAt - startedAt) / 1000;
  return { workers, chunks, seconds, sinceFirstSeconds: seconds - toFirstSeconds, cpu };
}

async function startEmbedder() {
  const env = {
    ...process.env,
    EMBEDDER_GROUP_MS: options['group-ms'],
    ...(options.compose && { EMBEDDER_HOST: '0.0.0.0' }),
  };
  const child = start(process.execPath, ['bench/slow-embedder.mjs'], env, ['ignore', 'pipe', 'inherit']);
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
}
