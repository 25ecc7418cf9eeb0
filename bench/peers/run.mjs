/**
 * `npm run bench:peers`: other programs on the same notes, the same questions and the same vectors in the same run, each in a
 * process of its own. Danger: they do different things (in memory or on the disk, whole notes or chunks, any of the words or all of
 * them), so the tables stand beside the words in bench/RESULTS.md that say what may be compared.
 *
 *   npm run bench:peers                        all three parts; some ten minutes, the first time a few more
 *   npm run bench:peers -- --write             puts the tables into bench/RESULTS.md
 *   npm run bench:peers -- --part speed        index time, time a query, memory: on the Obsidian help vault
 *   npm run bench:peers -- --part quality      nDCG and recall: on the judged collections
 *   npm run bench:peers -- --part vectors      the nearest of 20 000 and 200 000 vectors
 *   … --vault DIR                              the speed of a folder of your own, instead of the help vault
 *   … --sizes 20000                            of the vectors
 *   … --shared DIR                             holds collections/ and corpora/; default $TEST_SHARED_FOLDER
 *   … --cache DIR                              where qmd is installed; --vectors FILE: where the built-in model's are kept
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { helpVault } from '../help-vault.mjs';
import { measuredBy, writeSection } from '../report.mjs';
import { wordContenders } from './contenders.mjs';
import { measureQuality, measureSpeed, measureVectors } from './parts.mjs';

const { values: options } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: ['speed', 'quality', 'vectors'] },
    vault: { type: 'string' },
    sizes: { type: 'string', default: '20000,200000' },
    shared: { type: 'string', default: process.env.TEST_SHARED_FOLDER ?? resolve('../shared') },
    cache: { type: 'string', default: join(tmpdir(), 'vault-mcp-peers') },
    vectors: { type: 'string', default: join(tmpdir(), 'vault-mcp-relevance-cache/vectors.db') },
    folder: { type: 'string', default: join(tmpdir(), 'vault-mcp-scale') },
    write: { type: 'boolean', default: false },
  },
});

const say = (line) => process.stderr.write(`${line}\n`);
const scratch = mkdtempSync(join(tmpdir(), 'vault-mcp-peers-run-'));
const PARTS = { speed, quality, vectors };
try {
  for (const part of options.part) {
    if (!Object.hasOwn(PARTS, part)) throw new Error(`--part takes ${Object.keys(PARTS).join(', ')}, not ${part}.`);
  }
  for (const part of options.part) tell(part, PARTS[part]());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function speed() {
  const vaults = chosenVaults();
  if (vaults.length === 0)
    return { missing: ['The help vault is not at hand: set TEST_SHARED_FOLDER, or name one with --vault.'] };
  const { contenders, missing } = wordContenders(options.cache);
  return measureSpeed(vaults, { contenders, missing, scratch, say });
}

function chosenVaults() {
  if (options.vault !== undefined) {
    return [{ name: options.vault, folder: resolve(options.vault), queries: [] }];
  }
  process.env.TEST_SHARED_FOLDER = options.shared;
  const help = helpVault();
  if (help === null) return [];
  const { path, queries } = help;
  return [
    { name: 'obsidian-help, en', folder: join(path, 'en'), queries },
    { name: 'obsidian-help, all', folder: path, queries },
  ];
}

function quality() {
  const { contenders, missing } = wordContenders(options.cache);
  return measureQuality(options.shared, { contenders, missing, scratch, say, vectors: options.vectors });
}

function vectors() {
  return measureVectors(options.sizes.split(',').map(Number), { folder: options.folder, say });
}

/** A part that could not be measured says why, and leaves what stands in bench/RESULTS.md. */
function tell(part, { report, missing }) {
  for (const line of missing) say(line);
  if (report === undefined) {
    process.exitCode = 1;
    return;
  }
  const notes = missing.length > 0 ? `\n${missing.map((line) => `- ${line}\n`).join('')}` : '';
  const text = `${measuredBy('npm run bench:peers')}.\n\n${report}${notes}`;
  process.stdout.write(`${text}\n`);
  if (options.write) writeSection(`npm run bench:peers, ${part}`, text);
}
