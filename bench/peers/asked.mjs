/**
 * One contender in a process of its own: `node --expose-gc bench/peers/asked.mjs JOB.json` indexes a folder, asks what the job
 * says and prints one line of JSON. Danger: it also runs on another Node than the product's, so nothing is imported here that
 * needs a package.
 */
import { readFileSync } from 'node:fs';
import { percentiles } from '../percentiles.mjs';
import { averaged, figuresOf } from '../relevance/metrics.mjs';
import { memoryOf } from '../served.mjs';

const ROUNDS = 3;

/**
 * @typedef {{contender: string, options?: object, folder: string, queries?: string[], judged?: {text: string, judgments: [string,
 *   number][]}[]}} Job `contender` is a file of contenders/; `queries` are timed, `judged` are scored, by path
 */
const job = JSON.parse(readFileSync(process.argv[2], 'utf8'));
process.stdout.write(`${JSON.stringify(await measure(job))}\n`);

async function measure({ contender, options = {}, folder, queries = [], judged = [] }) {
  const module = await import(new URL(`contenders/${contender}.mjs`, import.meta.url).href);
  const index = module.prepare ? await module.prepare(options) : (path) => module.index(path);
  const before = performance.now();
  const indexed = await index(folder);
  process.once('SIGTERM', () => endEarly(indexed));
  const seconds = (performance.now() - before) / 1000;
  try {
    const memory = indexed.memory ?? ownMemory;
    const afterIndex = memory().now;
    const settled = await indexed.settled?.();
    return {
      seconds,
      settled: settled ?? null,
      afterIndex,
      ...(queries.length > 0 && (await timed(indexed, queries))),
      ...(judged.length > 0 && { quality: await scored(indexed, judged) }),
      memory: memory(),
    };
  } finally {
    await indexed.close?.();
  }
}

/** Who started this waits no longer: what it started must not stay. */
async function endEarly({ close }) {
  await close?.();
  process.exit(1);
}

/** The first round warms up. */
async function timed({ ask }, queries) {
  const times = [];
  let answered = 0;
  for (const query of queries) answered += (await ask(query)).length > 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      const before = performance.now();
      await ask(query);
      times.push(performance.now() - before);
    }
  }
  return { search: percentiles(times), answered: answered / queries.length };
}

async function scored({ ask }, judged) {
  const figures = [];
  for (const { text, judgments } of judged) figures.push(figuresOf(await ask(text), new Map(judgments)));
  return averaged(figures);
}

/** Once nothing is left to collect, so that what is held counts and not what was made on the way. */
function ownMemory() {
  globalThis.gc();
  return memoryOf(process.pid);
}
