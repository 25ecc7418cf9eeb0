/**
 * One way to find the nearest vectors, in a process of its own: `node --expose-gc bench/peers/vectors/asked.mjs CONTENDER STAGE PATH
 * FOLDER COUNT` stores the vectors of `npm run bench:scale` (made in FOLDER where they are not there yet) in the database PATH, or
 * searches it, and prints one line of JSON. Two stages, two processes: what storing leaves in memory is no part of a search.
 * Danger: all files stay in the system's memory here, so that a scan costs no reading of the disk; where memory is short it does.
 */
import Database from 'better-sqlite3';
import { percentiles } from '../../percentiles.mjs';
import { scaleIndex } from '../../scale/fill.mjs';
import { memoryOf } from '../../served.mjs';

const NEAREST = 50;
const AT_ONCE = 500;
const WARM_UP = 5;
/** An exact scan of 200 000 takes long enough to be known by fewer. */
const [ASKED, ASKED_OF_MANY, MANY] = [100, 40, 100_000];

const STAGES = { store, search };

const [contender, stage, path, folder, count] = process.argv.slice(2);
const made = scaleIndex(folder, Number(count), (line) => process.stderr.write(`  ${line}\n`));
const { openStore, openSearch } = await import(new URL(`${contender}.mjs`, import.meta.url).href);
process.stdout.write(`${JSON.stringify(await STAGES[stage]())}\n`);

async function search() {
  const queries = made.queries.slice(0, Number(count) > MANY ? ASKED_OF_MANY : ASKED).map(({ vector }) => vector);
  const before = ownMemory().now;
  const opened = await openSearch(path, queries[0]);
  for (const vector of queries.slice(0, WARM_UP)) opened.nearest(vector, NEAREST);
  const [times, ids] = [[], []];
  for (const vector of queries) {
    const began = performance.now();
    const found = opened.nearest(vector, NEAREST);
    times.push(performance.now() - began);
    ids.push(opened.idsOf(found));
  }
  const memory = { before, ...ownMemory() };
  opened.close();
  return { search: percentiles(times), ids, memory };
}

function store() {
  const into = openStore(path, made.queries[0].vector.length);
  const source = new Database(made.path, { readonly: true });
  const rows = source.prepare(
    'SELECT embedding_id AS id, vector FROM embedding_vector WHERE embedding_id > ? ORDER BY embedding_id LIMIT ?',
  );
  let [vectors, milliseconds, last] = [0, 0, 0];
  for (;;) {
    const batch = rows.all(last, AT_ONCE).map(({ id, vector }) => ({ id, vector: floats(vector) }));
    if (batch.length === 0) break;
    milliseconds += into.store(batch);
    vectors += batch.length;
    last = batch.at(-1).id;
  }
  source.close();
  into.close();
  return { vectors, seconds: milliseconds / 1000 };
}

function ownMemory() {
  globalThis.gc();
  return memoryOf(process.pid);
}

/** A copy: a blob's bytes may begin where four-byte numbers cannot. */
function floats(blob) {
  return new Float32Array(new Uint8Array(blob).buffer);
}
