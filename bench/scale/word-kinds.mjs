/**
 * `npm run bench:scale-words`: what a search by words alone takes by what words it is: rare, common, both, one of the commonest, a
 * whole page of text. Asks the product's own `search` without an embedder, so look-ups and rows are in it. Danger: made-up words are
 * in no list of stop words, so the commonest of them stand for the worst that the analyzer lets through; and an answer with nothing in
 * it is quick, so how many were empty is told beside the times. Those are processor time, which a machine that is busy with
 * something else stretches least.
 *
 *   npm run bench:scale-words -- [--sizes 20k,200k] [--folder DIR] [--write]     the indexes are those of bench:scale
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { search } from '@vault-mcp/api/search/search';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { percentiles } from '../percentiles.mjs';
import { measuredBy, writeSection } from '../report.mjs';
import { scaleIndex } from './fill.mjs';
import { randomFrom } from './random.mjs';
import { rankedWord } from './texts.mjs';

const ASKED = 40;
/** Ranks by how common a word is, the commonest 0: from, below, and how many words a query has. */
const KINDS = [
  ['four rare words', [6_000, 60_000, 4]],
  ['four as people ask', [30, 6_000, 4]],
  ['one of the ten commonest', [0, 10, 1]],
  ['two of the ten commonest', [0, 10, 2]],
  ['six of the ten commonest', [0, 10, 6]],
  ['four of the next forty', [10, 50, 4]],
  ['a page of 8 000 characters, of all words alike', [0, 60_000, 900]],
  ['a page of 8 000 characters, of the 300 commonest', [0, 300, 1_500]],
];
const SETTINGS = { rrf_k: 10, candidates: 50, document_weight: 0.7, mmr_lambda: 0.9, embed_timeout_seconds: 5 };
const EVERYTHING = { excludeDirs: [], includeSuperseded: false, readable: null };
const MOST_CHARACTERS = 8_000;

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '20k,200k' },
    folder: { type: 'string', default: join(tmpdir(), 'vault-mcp-scale') },
    write: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stderr.write(`${line}\n`);
const columns = [];
for (const size of options.sizes.split(',')) columns.push({ size, figures: await figuresOf(numberOf(size)) });
const report = render(columns);
process.stdout.write(report);
if (options.write) writeSection('npm run bench:scale-words', report);

function numberOf(size) {
  const [, digits, unit] = /^(\d+)(k|m)?$/i.exec(size) ?? [];
  if (digits === undefined) throw new Error(`--sizes takes numbers such as 20k, 200k and 1m, not "${size}"`);
  return Number(digits) * ({ k: 1_000, m: 1_000_000 }[unit?.toLowerCase()] ?? 1);
}

async function figuresOf(count) {
  const reader = openIndexReader(scaleIndex(options.folder, count, say).path);
  const dependencies = {
    reader,
    analyzer: createAnalyzer('en'),
    embedder: null,
    settings: SETTINGS,
    log: silentLogger(),
  };
  const figures = {};
  for (const [label, ranks] of KINDS) {
    say(`${count}: ${label}`);
    figures[label] = await timesOf(dependencies, queriesOf(ranks));
  }
  reader.close();
  return figures;
}

function queriesOf([from, below, length]) {
  const random = randomFrom(23);
  const word = () => rankedWord(from + Math.floor(random() * (below - from)));
  return Array.from({ length: ASKED }, () => Array.from({ length }, word).join(' ').slice(0, MOST_CHARACTERS).trim());
}

async function timesOf(dependencies, queries) {
  const times = [];
  let empty = 0;
  for (const query of [queries[0], ...queries]) {
    const began = process.cpuUsage();
    const { results } = await search(dependencies, { query, k: 10, filter: EVERYTHING, explain: false });
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1_000);
    if (results.length === 0) empty++;
  }
  const timed = times.slice(1);
  return { ...percentiles(timed), worst: Math.max(...timed), empty };
}

function render(all) {
  const cell = ({ p50, p95, worst, empty }) =>
    `${[p50, p95, worst].map((ms) => ms.toFixed(1)).join(' / ')} ms${empty > 0 ? `, ${empty} empty` : ''}`;
  const row = ([label]) => `| ${label} | ${all.map(({ figures }) => cell(figures[label])).join(' | ')} |`;
  return `${measuredBy('npm run bench:scale-words')}: words alone, a page of 10, p50 / p95 / the slowest of ${ASKED},
processor time.

| | ${all.map(({ size }) => size).join(' | ')} |
| --- | ${all.map(() => '---').join(' | ')} |
${KINDS.map(row).join('\n')}
`;
}
