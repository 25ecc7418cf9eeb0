/**
 * How long a vault's words take to be found with two programs and Redis, and with everything in one process: in turns, on
 * the same vault, with the same embedder, which takes as long as a small model does (vectors are made meanwhile, and few).
 * The ratio is the figure to look at, since both meet the same machine.
 *
 *   npm run bench:pair                       examples/vault, and the help vault where it is at hand; twice
 *   npm run bench:pair -- --rounds 3         more often
 *   npm run bench:pair -- --group-ms 0       with an embedder that answers at once; the default is 250 for every 8 texts
 *   npm run bench:pair -- --write            puts the table into bench/RESULTS.md
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { helpVault } from './help-vault.mjs';
import { killAll, startEmbedder, startPair } from './pair.mjs';
import { measuredBy, writeSection } from './report.mjs';
import { startServed } from './served.mjs';

const COMMAND = 'npm run bench:pair';
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    'group-ms': { type: 'string', default: '250' },
    write: { type: 'boolean', default: false },
  },
});

const isReady = ({ index }) => index?.state === 'ready';
const help = helpVault();
const vaults = [{ name: 'examples/vault', path: resolve('examples/vault') }].concat(
  help === null
    ? []
    : [
        { name: 'obsidian-help, en', path: join(help.path, 'en') },
        { name: 'obsidian-help, all', path: help.path },
      ],
);
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-pair-and-one-'));
let embedder;
try {
  embedder = await startEmbedder(Number(options['group-ms']));
  const rows = [];
  for (const vault of vaults) rows.push(await measure(vault));
  const table = render(rows);
  process.stdout.write(table);
  if (options.write) writeSection(COMMAND, table);
} finally {
  killAll();
  rmSync(base, { recursive: true, force: true });
}

async function measure({ name, path }) {
  const row = { name, one: [], two: [], cpu: [] };
  for (let round = 0; round < Number(options.rounds); round++) {
    const data = mkdtempSync(join(base, 'one-'));
    const env = { EMBED_PROVIDER: 'ollama', OLLAMA_URL: embedder.url, CATALOG_ENABLED: 'false' };
    const served = await startServed({ vault: path, data, env });
    row.one.push(await served.until(isReady));
    await served.stop();
    const pair = await startPair({
      vault: path,
      folder: join(base, `${name.replaceAll('/', ' ')} ${round}`),
      embedder: embedder.url,
    });
    const { seconds, status } = await pair.until(isReady);
    row.two.push(seconds);
    row.cpu.push(pair.cpuSeconds());
    row.notes = status.index.notes;
    await pair.stop();
    process.stderr.write(`${name}: ${row.one.at(-1).toFixed(1)} s in one process, ${seconds.toFixed(1)} s in two\n`);
  }
  return row;
}

function render(rows) {
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const seconds = (values) => `${values.map((value) => value.toFixed(1)).join(' / ')} s`;
  const cpu = (row, name) => seconds(row.cpu.map((figures) => figures[name]));
  const line = (label, cell) => `| ${label} | ${rows.map(cell).join(' | ')} |`;
  return [
    `${measuredBy(COMMAND)}, in turns, an embedder of ${options['group-ms']} ms for every 8 texts.`,
    '',
    line('', ({ name }) => name).replace('|  |', '| |'),
    `| --- | ${rows.map(() => '---').join(' | ')} |`,
    line('notes', ({ notes }) => notes),
    line('one process: start to word-searchable', ({ one }) => seconds(one)),
    line('two programs and Redis: the same', ({ two }) => seconds(two)),
    line('two ÷ one', ({ one, two }) => (sum(two) / sum(one)).toFixed(2)),
    line('processor time until then: indexer', (row) => cpu(row, 'indexer')),
    line('api', (row) => cpu(row, 'api')),
    line('Redis', (row) => cpu(row, 'redis')),
    '',
  ].join('\n');
}
