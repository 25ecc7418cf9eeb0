/**
 * A peer on the same input in the same run: MiniSearch, an in-memory full-text index for JavaScript, over whole notes.
 * It neither keeps its index, nor watches, nor embeds; it is here to tell a slow machine from a slow program.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { percentiles } from './percentiles.mjs';

const ROUNDS = 20;

/** @param {{path: string, queries: string[]}} vault */
export async function measurePeer({ path, queries }) {
  const before = performance.now();
  const index = new MiniSearch({ fields: ['text'] });
  let notes = 0;
  for (const name of readdirSync(path, { recursive: true })) {
    if (!name.endsWith('.md') || name.split('/').some((part) => part.startsWith('.'))) continue;
    index.add({ id: notes++, text: readFileSync(join(path, name), 'utf8') });
  }
  const indexSeconds = (performance.now() - before) / 1000;
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const query of queries) {
      const start = performance.now();
      index.search(query);
      if (round > 0) times.push(performance.now() - start);
    }
  }
  return { name: 'minisearch', notes, indexSeconds, search: percentiles(times) };
}
