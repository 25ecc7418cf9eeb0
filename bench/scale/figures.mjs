/**
 * What searching an index of one size takes, arm by arm and as a whole, and beside it the peer: the same vectors scanned by
 * sqlite-vec alone, whose answers are the exact ones. Runs in a process of its own (`node bench/scale/figures.mjs FOLDER COUNT`,
 * one line of JSON on standard output), so that memory is that of this size only. Danger: it edits the index it measures, a few
 * notes at the end, so only a copy is opened.
 */
import { copyFileSync, rmSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import Database from 'better-sqlite3';
import { load as loadSqliteVec } from 'sqlite-vec';
import { nearestChunks } from '../../apps/api/dist/search/dense.js';
import { lexicalMatch, queryFrequencies } from '../../apps/api/dist/search/lexical.js';
import { search } from '../../apps/api/dist/search/search.js';
import { percentiles } from '../percentiles.mjs';
import { SPACE, scaleIndex } from './fill.mjs';
import { loadTime } from './load-time.mjs';

const CANDIDATES = 50;
const EVERYTHING = { excludeDirs: [], includeSuperseded: false, readable: null };
/** The first of them are asked once before anything is timed. */
const WARM_UP = 10;
/** The exact scan takes a second at a million: fewer are compared there. */
const COMPARED = [100, 40];
const EDITS = 20;
const SETTINGS = {
  rrf_k: 60,
  dense_weight: 1,
  lexical_weight: 1,
  candidates: CANDIDATES,
  document_weight: 0.7,
  mmr_lambda: 0.9,
};

const [folder, count] = [process.argv[2], Number(process.argv[3])];
const made = scaleIndex(folder, count, (line) => process.stderr.write(`  ${line}\n`));
const path = `${made.path}.copy`;
forget(path);
copyFileSync(made.path, path);
try {
  process.stdout.write(`${JSON.stringify(await measure(path, made))}\n`);
} finally {
  forget(path);
}

async function measure(indexPath, { queries, nextNote }) {
  const analyzer = createAnalyzer('en');
  const reader = openIndexReader(indexPath);
  const embedder = standIn(queries);
  const dependencies = { reader, analyzer, embedder, settings: { ...SETTINGS, embed_timeout_seconds: 5 }, log: silent };
  const dense = ({ vector }, filter = EVERYTHING) => nearestChunks(reader, vector, filter, CANDIDATES);
  const lexical = ({ text }) => {
    const match = lexicalMatch(queryFrequencies(reader, analyzer, text, null), reader.chunkCount());
    return match === null ? [] : reader.lexicalCandidates(match, EVERYTHING, CANDIDATES);
  };
  const whole = ({ text }) => search(dependencies, { query: text, k: 10, filter: EVERYTHING, explain: false });
  const asked = queries.slice(0, reader.chunkCount() > 500_000 ? COMPARED[1] : COMPARED[0]);

  reader.chunkCount();
  const before = memory();
  const load = await loadTime(reader, () => dense(queries[0]));
  const figures = {
    count,
    load,
    memory: { before, after: memory() },
    dense: await times(asked, dense),
    half: await times(asked, (query) => dense(query, { ...EVERYTHING, prefix: 'Half' })),
    percent: await times(asked, (query) => dense(query, { ...EVERYTHING, prefix: 'Percent' })),
    lexical: await times(asked, lexical),
    whole: await times(asked, whole),
    ...compareWithPeer(indexPath, asked, dense),
    edit: editTimes(indexPath, nextNote, () => dense(queries[1])),
  };
  reader.close();
  return figures;
}

async function times(queries, ask) {
  for (const query of queries.slice(0, WARM_UP)) await ask(query);
  const each = [];
  for (const query of queries) {
    const began = performance.now();
    await ask(query);
    each.push(performance.now() - began);
  }
  return percentiles(each);
}

/** Of the chunks that are truly nearest, how many the arm finds; ties count for either. */
function compareWithPeer(indexPath, queries, dense) {
  const db = new Database(indexPath, { readonly: true });
  loadSqliteVec(db);
  const scan = db.prepare(
    `SELECT c.id AS chunkId, h.l2 FROM (SELECT embedding_id, vec_distance_l2(vector, ?) AS l2 FROM embedding_vector
     ORDER BY l2 LIMIT ${CANDIDATES}) h JOIN chunk c ON c.embedding_id = h.embedding_id ORDER BY h.l2, chunkId LIMIT ${CANDIDATES}`,
  );
  const peer = [];
  let found = 0;
  for (const query of queries) {
    const began = performance.now();
    const exact = scan.all(Buffer.from(query.vector.buffer, query.vector.byteOffset, query.vector.byteLength));
    peer.push(performance.now() - began);
    const farthest = exact.at(-1).l2 ** 2 / 2 + 1e-6;
    found += dense(query).filter(({ distance }) => distance <= farthest).length / exact.length;
  }
  db.close();
  return { peer: percentiles(peer), recall: found / queries.length };
}

/** A note stored with its vectors, and the first dense search after it. */
function editTimes(indexPath, nextNote, ask) {
  const writer = openIndexWriter(indexPath);
  const [stored, asked] = [[], []];
  for (let n = 0; n < EDITS; n++) {
    const { record, vectors } = nextNote(n * 7, 10);
    const began = performance.now();
    writer.putFile(record);
    writer.embeddings.storeVectors(vectors);
    stored.push(performance.now() - began);
    const again = performance.now();
    ask();
    asked.push(performance.now() - again);
  }
  writer.close();
  return { stored: percentiles(stored), asked: percentiles(asked) };
}

function standIn(queries) {
  const vectors = new Map(queries.map(({ text, vector }) => [text, vector]));
  const embedQuery = async (text) => vectors.get(text);
  return { provider: 'openai', model: 'bench', dims: queries[0].vector.length, space: SPACE, embedQuery };
}

function memory() {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().rss / 1024 / 1024);
}

function silent() {}
silent.debug = silent;

function forget(file) {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}
