/**
 * How much sooner scans are read with more workers: one process that writes and 1, 2 … that extract, all of them up when a
 * folder of scans appears in the vault. Danger: tesseract keeps a core busy for each document in hand, so more workers than
 * idle cores show what the machine lacks, not what workers bring.
 */
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { freePort } from './free-port.mjs';
import { cpuSeconds, end, read, startIndexer, startRedis, until } from './scale-out-programs.mjs';

const PAGES = 2;
const LINES = 24;

/**
 * @param {{base: string, count: number}} options a folder of its own; how many scans
 * @returns what measures with a number of workers
 */
export async function openExtraction({ base, count }) {
  const scans = join(base, 'scans');
  const {
    module: { scannedPdf },
  } = await runnerImport('./test/fixtures/pdf-files.ts');
  mkdirSync(scans);
  for (let scan = 0; scan < count; scan++) {
    const pages = Array.from({ length: PAGES }, (_, page) => pageText(scan, page));
    writeFileSync(join(scans, `scan-${scan}.pdf`), await scannedPdf(pages));
  }
  return (workers) => measure({ base, scans, count }, workers);
}

/** Seconds from the moment that the scans are there until all of them are read. */
async function measure({ base, scans, count }, workers) {
  const port = await freePort();
  const redis = await startRedis(port, join(base, `redis-${workers}`));
  const vault = join(base, `vault-${workers}`);
  const arriving = join(base, `arriving-${workers}`);
  mkdirSync(vault);
  cpSync(scans, arriving, { recursive: true });
  const environment = {
    REDIS_URL: `redis://127.0.0.1:${port}`,
    VAULT_PATH: vault,
    EMBED_PROVIDER: 'lexical',
    LOG_LEVEL: 'error',
  };
  const data = join(base, `data-${workers}`);
  const settings = { DATA_PATH: data, INDEXER_ROLES: 'watch,write', WATCH_DEBOUNCE_SECONDS: '0.1' };
  const writer = startIndexer({ ...environment, ...settings });
  const helpers = Array.from({ length: workers }, () => startIndexer({ ...environment, INDEXER_ROLES: 'extract' }));
  const index = join(data, 'index.db');
  await until(() =>
    read(index, (reader) => {
      const { state, queue } = reader.indexerStatus() ?? {};
      return state === 'ready' && queue.consumers?.extract === workers;
    }),
  );
  const before = [writer, ...helpers, redis].map((child) => cpuSeconds(child));
  const startedAt = performance.now();
  renameSync(arriving, join(vault, 'Files'));
  const paths = Array.from({ length: count }, (_, scan) => `Files/scan-${scan}.pdf`);
  await until(() => read(index, (reader) => paths.every((path) => reader.fileByPath(path)?.reason === 'ocr')));
  const seconds = (performance.now() - startedAt) / 1000;
  const spent = [writer, ...helpers, redis].map(
    (child, at) => cpuSeconds(child, { withEnded: helpers.includes(child) }) - before[at],
  );
  for (const child of [writer, ...helpers, redis]) await end(child);
  const cpu = { writer: spent[0], workers: spent.slice(1, -1).reduce((sum, one) => sum + one, 0), redis: spent.at(-1) };
  return { workers, scans: count, pages: count * PAGES, seconds, cpu };
}

function pageText(scan, page) {
  const entry = (line) =>
    `Entry ${scan}.${page}.${line}: the keeper of the harbour noted ${scan * 37 + line} crates of oil.`;
  return Array.from({ length: LINES }, (_, line) => entry(line)).join(' ');
}
