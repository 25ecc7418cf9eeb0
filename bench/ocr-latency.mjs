/**
 * What a scan of 300 pages that is being read does to everybody else: calls of six kinds at a fixed rate, with the OCR
 * stopped and running in turns, so that what else the machine does meets both alike. The pair (api, indexer, Redis) and
 * `npm start`; the figure to look at is the p99 of all calls while it is read, divided by the p99 while it is not. Before
 * that, the same while the text of 300 pages is stored and embedded, which is how the reading of a scan ends (Linux).
 *
 *   npm run bench:ocr                        examples/vault, and the English help vault where it is at hand
 *   npm run bench:ocr -- --rounds 6          more turns than four
 *   npm run bench:ocr -- --seconds 20        longer ones than eight seconds; at most 30 (see ocr-scan.mjs)
 *   npm run bench:ocr -- --per-second 20     another rate than 25 calls a second
 *   npm run bench:ocr -- --only pair         one of the two forms: pair, one
 *   npm run bench:ocr -- --vault example     only vaults of that name
 *   npm run bench:ocr -- --write             puts the table into bench/RESULTS.md
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { helpVault } from './help-vault.mjs';
import { createLoad, OPERATIONS } from './ocr-load.mjs';
import { COMMAND, renderOcr } from './ocr-report.mjs';
import { longScan, longText, readingBelow } from './ocr-scan.mjs';
import { killAll, startEmbedder, startPair } from './pair.mjs';
import { writeSection } from './report.mjs';
import { startServed } from './served.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '8' },
    'per-second': { type: 'string', default: '25' },
    only: { type: 'string', default: '' },
    vault: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(options.seconds);
const WARM_UP_SECONDS = 5;
const MONITOR = pathToFileURL(resolve('bench/ocr-loop-delay.mjs')).href;

const scan = await longScan();
// Drawn before anything is measured: it takes seconds.
const text = await longText();
const help = helpVault();
const vaults = [
  {
    name: 'examples/vault',
    path: resolve('examples/vault'),
    queries: ['burst pipe', '14D-556-0832', 'who looks at the boiler'],
  },
];
if (help !== null) vaults.push({ name: 'obsidian-help, en', path: join(help.path, 'en'), queries: help.queries });
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-ocr-latency-'));
const running = [];
const readings = [];
try {
  const embedder = await startEmbedder(0);
  const rows = [];
  for (const vault of vaults.filter(({ name }) => name.includes(options.vault))) {
    for (const [form, start] of Object.entries({ pair: startTwo(embedder.url), one: startOne })) {
      if (options.only === '' || options.only === form) rows.push(await measure(vault, form, start));
    }
  }
  const table = renderOcr(rows, options);
  process.stdout.write(table);
  if (options.write) writeSection(COMMAND, table);
} finally {
  // What is stopped would not notice that its server is gone.
  for (const reading of readings) reading.resume();
  killAll();
  for (const server of running) await server.stop();
  rmSync(base, { recursive: true, force: true });
}

function startTwo(embedder) {
  return (vault, folder, settings) => startPair({ vault, folder: join(folder, 'pair'), embedder, settings });
}

function startOne(vault, folder, settings) {
  return startServed({ vault, data: join(folder, 'data'), env: settings });
}

async function measure({ name, path, queries }, form, start) {
  const folder = mkdtempSync(join(base, `${form}-`));
  const [vault, delays] = [join(folder, 'vault'), join(folder, 'delays')];
  cpSync(path, vault, { recursive: true });
  mkdirSync(delays);
  const settings = { NODE_OPTIONS: `--import ${MONITOR}`, LOOP_DELAY_FOLDER: delays };
  const server = await start(vault, folder, settings);
  running.push(server);
  const isDone = ({ index, queue }) => index?.state === 'ready' && index.pending === 0 && queue.depth === 0;
  await server.until(isDone);
  const load = await createLoad({ url: server.url, key: server.key, queries }, Number(options['per-second']));
  await load.run(WARM_UP_SECONDS);
  const kinds = { idle: newKind(), busy: newKind(), stored: newKind() };
  const block = (kind) => runBlock(load, kinds[kind], join(delays, `${server.pids.api}-0`));

  await Promise.all([block('stored'), load.ask('PUT', '/vault/Files/ledger.pdf?wait=0', text)]);
  await server.until(isDone);

  await load.ask('PUT', '/vault/Files/scan.pdf?wait=0', scan);
  const reading = await readingBelow(server.pids.indexer);
  readings.push(reading);
  const priority = reading.priority();
  const before = reading.cpuSeconds();
  for (let round = 0; round < Number(options.rounds); round++) {
    // First in turns as well: whatever grows with time must not always meet the same one.
    for (const kind of round % 2 === 0 ? ['idle', 'busy'] : ['busy', 'idle']) {
      if (kind === 'idle') reading.pause();
      else reading.resume();
      await block(kind);
    }
  }
  if (!reading.goesOn())
    throw new Error(`the scan is not read any more: ${await load.ask('GET', '/vault/Files/scan.pdf?map')}`);
  const ocrShare = (reading.cpuSeconds() - before) / (SECONDS * Number(options.rounds));
  reading.resume();
  await server.stop();
  running.splice(running.indexOf(server), 1);
  process.stderr.write(`${name}, ${form}: measured\n`);
  return { name, form, kinds, priority, ocrShare };
}

function newKind() {
  return { times: Object.fromEntries(OPERATIONS.map((name) => [name, []])), lateness: 0, loopMs: 0 };
}

async function runBlock(load, kind, delays) {
  const from = Date.now();
  const { times, lateness } = await load.run(SECONDS);
  const to = Date.now();
  for (const name of OPERATIONS) kind.times[name].push(...times[name]);
  kind.lateness = Math.max(kind.lateness, lateness);
  const lines = readFileSync(delays, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const { at, maxMs } of lines) if (at > from && at <= to) kind.loopMs = Math.max(kind.loopMs, maxMs);
}
