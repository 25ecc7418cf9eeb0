/**
 * What the two programs need for one vault, each by itself: time until words and until vectors are found, memory of api,
 * indexer and Redis, processor time (which a busy machine changes least), the time of a search. The embedder is a fast
 * stand-in, so that the figures are the product's.
 *
 *   npx tsc -b && node bench/two-programs.mjs [words of a vault's name …]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { helpVault } from './help-vault.mjs';
import { killAll, startEmbedder, startPair } from './pair.mjs';
import { percentiles } from './percentiles.mjs';

const ROUNDS = 10;
const help = helpVault();
const example = { name: 'examples/vault', path: resolve('examples/vault'), queries: ['burst pipe', '14D-556-0832'] };
const vaults = [example].concat(
  help === null
    ? []
    : [
        { name: 'obsidian-help, en', path: join(help.path, 'en'), queries: help.queries },
        { name: 'obsidian-help, all', path: help.path, queries: help.queries },
      ],
);
const wanted = process.argv.slice(2).join(' ');
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-two-programs-'));
try {
  for (const [at, vault] of vaults.filter(({ name }) => name.includes(wanted)).entries()) {
    process.stdout.write(`${JSON.stringify({ vault: vault.name, ...(await measure(vault, join(base, `${at}`))) })}\n`);
  }
} finally {
  killAll();
  rmSync(base, { recursive: true, force: true });
}

async function measure(vault, folder) {
  const embedder = await startEmbedder(0);
  const pair = await startPair({ vault: vault.path, folder, embedder: embedder.url });
  const words = await pair.until(({ index }) => index?.state === 'ready');
  const atWords = pair.memory();
  const cpuAtWords = pair.cpuSeconds();
  const all = await pair.until(({ index, queue }) => index.pending === 0 && queue.depth === 0);
  const before = pair.cpuSeconds().api;
  const search = await searchLatency(pair.get, vault.queries);
  search.cpuMs = ((pair.cpuSeconds().api - before) * 1000) / (vault.queries.length * (ROUNDS + 1));
  const { notes, documents, chunks } = all.status.index;
  const figures = {
    notes,
    documents,
    chunks,
    words: words.seconds,
    embedded: all.seconds,
    cpuAtWords,
    cpuAtEnd: pair.cpuSeconds(),
    search,
    atWords,
    end: pair.memory(),
  };
  await pair.stop();
  await embedder.stop();
  return figures;
}

async function searchLatency(get, queries) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const query of queries) {
      const before = performance.now();
      const answer = await get(`/search?q=${encodeURIComponent(query)}`);
      if (!answer.ok) throw new Error(`search failed: ${await answer.text()}`);
      await answer.text();
      if (round > 0) times.push(performance.now() - before);
    }
  }
  return percentiles(times);
}
