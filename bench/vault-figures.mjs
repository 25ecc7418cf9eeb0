/**
 * What a person waits for with one vault: first words, all vectors, a restart, one search; and what it costs in memory.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from './percentiles.mjs';
import { startServed } from './served.mjs';

const ROUNDS = 20;

/**
 * @param {{name: string, path: string, queries: string[], embed: boolean}} vault
 * @param {(line: string) => void} say
 */
export async function measureVault(vault, say) {
  const folder = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-'));
  const data = join(folder, 'data');
  try {
    // It is given an index page.
    const copy = { ...vault, path: join(folder, 'vault') };
    cpSync(vault.path, copy.path, { recursive: true });
    const first = await firstRun(copy, data, say);
    const again = await restart(copy, data);
    return { ...first, ...again };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function firstRun(vault, data, say) {
  const served = await startServed({ vault: vault.path, data });
  const wordsSeconds = await served.until((status) => status.index.state === 'ready');
  const { notes, documents, chunks } = (await served.ready()).index;
  const memoryAtWords = served.memory();
  say(`word-searchable after ${wordsSeconds.toFixed(1)} s: ${notes} notes, ${documents} documents, ${chunks} chunks`);
  const whileEmbedding = await searchLatency(served, vault.queries, 3);
  let embeddedSeconds = null;
  if (vault.embed) {
    embeddedSeconds = await served.until((status) => status.index.pending === 0 && status.queue.depth === 0);
    say(`fully embedded after ${embeddedSeconds.toFixed(1)} s`);
  }
  const figures = { notes, documents, chunks, wordsSeconds, embeddedSeconds, memoryAtWords, whileEmbedding };
  if (vault.embed) figures.search = await searchLatency(served, vault.queries, ROUNDS);
  figures.memory = served.memory();
  await served.stop();
  return figures;
}

/** The same folder again: nothing changed, so nothing but comparing should happen. */
async function restart(vault, data) {
  const served = await startServed({ vault: vault.path, data });
  const restartSeconds = await served.until((status) => status.status === 'ready');
  const restartMemory = served.memory();
  await served.stop();
  return { restartSeconds, restartMemory };
}

/** Milliseconds a search over HTTP takes, query embedding included. */
async function searchLatency(served, queries, rounds) {
  const times = [];
  for (let round = 0; round <= rounds; round++) {
    for (const query of queries) {
      const before = performance.now();
      const response = await served.get(`/search?q=${encodeURIComponent(query)}`);
      const body = await response.json();
      if (!response.ok) throw new Error(`search failed: ${JSON.stringify(body)}`);
      // The first round warms caches and the model.
      if (round > 0) times.push(performance.now() - before);
    }
  }
  return percentiles(times);
}
