/**
 * `node bench/indexing-edits.mjs VAULT` indexes a vault, then edits one of its notes after the other and prints how long it
 * took from the job of each until its new word was found by another connection. Danger: it writes into the vault.
 */
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { startLoneIndexer } from './lone-indexer.mjs';
import { percentiles } from './percentiles.mjs';

const ROUNDS = 60;
/** The first compile what the others run. */
const WARM = 10;

const vault = process.argv[2];
const notes = readdirSync(vault, { recursive: true }).filter((name) => name.endsWith('.md'));
const indexer = await startLoneIndexer(vault);
const reader = new Database(indexer.indexPath, { readonly: true });
const find = reader.prepare('SELECT count(*) AS found FROM chunk_terms WHERE chunk_terms MATCH ?');
const times = [];
for (let round = 0; round < ROUNDS + WARM; round++) {
  const path = notes[(round * 37) % notes.length];
  // Another one each run: what an earlier one wrote would be found at once.
  const word = `unheardof${process.pid}x${round}`;
  appendFileSync(join(vault, path), `\nOne more line with ${word}.\n`);
  const from = performance.now();
  await indexer.queue.add('sync-path', { path, source: 'news' });
  while (find.get(word).found === 0) await new Promise(setImmediate);
  if (round >= WARM) times.push(performance.now() - from);
  await sleep(20);
}
reader.close();
await indexer.close();
process.stdout.write(`${JSON.stringify(percentiles(times))}\n`);
