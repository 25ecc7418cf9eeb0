/**
 * `npm run bench:gate-ceilings`: the ceilings of the write gate that are shipped, for the embedders that need no network. Every
 * vault is indexed by the real program and measured as `vault-mcp gate calibrate` measures it: examples/vault, the help vault's
 * English folder, and four collections of abstracts (one a note), where they are at hand. Beside them stands a vault of short
 * memories that are proposed again in other words (gate-pairs.mjs). Shipped is, of distances, what three of four of those need, if
 * it lets no more than one in ten far pairs through in any vault, else what lets one in 200 through; of ranks, what lets one
 * proposal in 100 of all vaults find twenty notes. Whether words then still find what is filed twice is asked with each note's own
 * first 30 words, and with the short memories.
 *
 *   npm run bench:gate-ceilings -- --write         puts the tables into bench/RESULTS.md
 *   npm run bench:gate-ceilings -- --keep FOLDER   leaves the indexes there, and takes those it finds
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { readNoteVectors } from '@vault-mcp/shared/index-db/note-vectors';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { readSamples } from '../apps/api/dist/memory/calibrate/read-samples.js';
import { shuffled } from '../apps/api/dist/memory/calibrate/sample.js';
import {
  admittedBy,
  quantile,
  roundedDown,
  suggestDistance,
  suggestRank,
} from '../apps/api/dist/memory/calibrate/suggest.js';
import { lexicalMatch, ONCE, queryFrequencies } from '../apps/api/dist/search/lexical.js';
import { isShown, measurePairs, writeMemories } from './gate-pairs.mjs';
import { helpVault } from './help-vault.mjs';
import { measuredBy, writeSection } from './report.mjs';

const PROVIDERS = ['builtin', 'lexical'];
const SAMPLES = 400;
const AGAIN_WORDS = 30;
/** Of the pairs of short memories, how many the distance is to show; of far pairs of any vault, how many it may let through for it. */
const PAIRS_SHOWN = 0.75;
const FAR_FOR_PAIRS = 0.1;
const MAIN = resolve('apps/cli/dist/main.js');

const kept = process.argv[process.argv.indexOf('--keep') + 1];
const base = process.argv.includes('--keep') ? resolve(kept) : mkdtempSync(join(tmpdir(), 'vault-mcp-bench-ceilings-'));
try {
  const vaults = [...ownVaults(), ...collections()];
  const measured = [];
  for (const provider of PROVIDERS) {
    const rows = vaults.map(({ name, path }) => ({ name, ...measure(name, path, provider) }));
    measured.push({ provider, rows, pairs: await pairsOf(provider) });
  }
  const report = `${measuredBy('npm run bench:gate-ceilings')}.\n\n${measured.map(render).join('\n')}`;
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeSection('npm run bench:gate-ceilings', report);
} finally {
  if (!process.argv.includes('--keep')) rmSync(base, { recursive: true, force: true });
}

function ownVaults() {
  const help = helpVault();
  return [
    { name: 'examples/vault', path: resolve('examples/vault') },
    ...(help === null ? [] : [{ name: 'obsidian-help, en', path: join(help.path, 'en') }]),
  ];
}

/** Each document a note, under its title. */
function collections() {
  const folder = join(process.env.TEST_SHARED_FOLDER ?? resolve('../shared'), 'collections');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const path = join(base, 'vaults', name);
      mkdirSync(path, { recursive: true });
      for (const line of readFileSync(join(folder, name, 'docs.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean)) {
        const { id, title = '', text } = JSON.parse(line);
        const note = join(path, `${id}.md`);
        if (!existsSync(note)) writeFileSync(note, `# ${title.trim()}\n\n${text.trim()}\n`);
      }
      return { name, path };
    });
}

/** @returns the data folder */
function indexed(name, vault, provider) {
  const data = join(base, `${name.replaceAll(/[^a-z]+/g, '-')}-${provider}`);
  const env = { ...process.env, EMBED_PROVIDER: provider, VAULT_MCP_CONFIG: '' };
  execFileSync(process.execPath, [MAIN, 'reindex', '--vault', vault, '--data', data], { env, stdio: 'ignore' });
  return data;
}

function pairsOf(provider) {
  const vault = join(base, 'vaults', 'short-memories');
  writeMemories(vault);
  return measurePairs(vault, indexed('short-memories', vault, provider), provider);
}

function measure(name, vault, provider) {
  const data = indexed(name, vault, provider);
  const indexPath = join(data, 'index.db');
  const reader = openIndexReader(indexPath);
  const analyzer = createAnalyzer('en');
  try {
    const all = readNoteVectors(indexPath, { wants: () => false, onNote: () => undefined }).notes;
    const notes = all.map(({ path }) => path);
    const before = process.cpuUsage();
    const { distance, rank } = readSamples({ reader, analyzer, notes, excludeDirs: [] }, SAMPLES);
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    return { notes: notes.length, seconds, distance, rank, again: againRanks(reader, analyzer, notes) };
  } finally {
    reader.close();
  }
}

/** The rank of each sampled note when its own first words are proposed. */
function againRanks(reader, analyzer, notes) {
  const filter = { kind: 'note', excludeDirs: [], includeSuperseded: false, readable: null };
  return shuffled(notes)
    .slice(0, SAMPLES)
    .map((path) => {
      const text = reader.chunksOf(path).map((chunk) => chunk.text);
      const words = text.join('\n').split(/\s+/).slice(0, AGAIN_WORDS).join(' ');
      const match = lexicalMatch(queryFrequencies(reader, analyzer, words, null), reader.chunkCount(), ONCE);
      if (match === null) return 0;
      return reader.lexicalCandidates(match, { ...filter, prefix: path }, 1)[0]?.bm25 ?? 0;
    });
}

/** What the pairs need where that is bearable, else what far pairs allow. */
function shippedDistance(rows, pairs) {
  const distances = pairs.flatMap(({ own }) => (own === null ? [] : [own.distance]));
  const needed = roundedDown(quantile(distances, PAIRS_SHOWN));
  if (rows.every((row) => admittedBy(needed, row.distance).far <= FAR_FOR_PAIRS)) return needed;
  return Math.min(...rows.map((row) => suggestDistance({ ...row.distance, same: [] })));
}

function render({ provider, rows, pairs }) {
  const distance = shippedDistance(rows, pairs);
  const pooled = rows.flatMap((row) => row.rank.far);
  const rank = suggestRank({ far: pooled, near: [], same: [] });
  const line = (label, of) => `| ${label} | ${rows.map(of).join(' | ')} |`;
  const shares = (ceiling, samples) => {
    const { far, near, same } = admittedBy(ceiling, samples);
    return [far, near, samples.same.length < 20 ? null : same].map(percent).join(', ');
  };
  return `\`${provider}\`: distance ${distance}, rank ${rank}.

| | ${rows.map(({ name }) => name).join(' | ')} |
| --- | ${rows.map(() => '---').join(' | ')} |
${line('notes, with halves among those sampled', (row) => `${row.notes}, ${row.rank.same.length}`)}
${line('`gate calibrate` suggests', (row) => `${suggestDistance(row.distance)}, ${suggestRank(row.rank)}`)}
${line(`distance ${distance} lets through of far, near, same`, (row) => shares(distance, row.distance))}
${line(`rank ${rank} lets through of far, near, same`, (row) => shares(rank, row.rank))}
${line(`rank ${rank}: notes found by their own first ${AGAIN_WORDS} words`, (row) => percent(row.again.filter((value) => value <= rank).length / row.again.length))}
${line('processor time of the measuring', (row) => `${row.seconds.toFixed(1)} s`)}

${renderPairs(pairs, { distance, rank })}`;
}

/** Of short memories, how many are shown with both ceilings, and by words alone. */
function renderPairs(pairs, ceilings) {
  const lines = [
    ['word for word', pairs.filter(({ copy }) => copy !== null).map(({ copy }) => copy)],
    ['in other words', pairs.filter(({ kind }) => kind === 'paraphrase').map(({ own }) => own)],
    ['because it has changed', pairs.filter(({ kind }) => kind === 'correction').map(({ own }) => own)],
    ['any of them: another one', pairs.filter(({ own }) => own !== null).map(({ other }) => other)],
    ['something else', pairs.filter(({ kind }) => kind === 'unrelated').map(({ other }) => other)],
  ].map(([label, measures]) => {
    const shown = (limits) => `${measures.filter((measure) => isShown(measure, limits)).length} of ${measures.length}`;
    return `| ${label} | ${shown(ceilings)} | ${shown({ ...ceilings, distance: null })} |`;
  });
  return `| a short memory is shown for what is proposed | with both ceilings | by words alone |
| --- | --- | --- |
${lines.join('\n')}
`;
}

function percent(share) {
  return share === null ? '–' : `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`;
}
