/**
 * The measured figures as a table, and bench/RESULTS.md between its markers. Danger: a figure without the machine and
 * the command that made it is worth nothing, so both are written beside it.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

const FILE = 'bench/RESULTS.md';

/** @param {{name: string, figures: object, peer: object}[]} rows one a vault */
export function renderReport(rows) {
  return table(rows, FIGURES);
}

/** @param {{name: string, writes: object}[]} rows one a vault */
export function renderWrites(rows) {
  return table(rows, WRITES);
}

/** @param {{name: string, files: object}[]} rows one a vault */
export function renderFiles(rows) {
  return table(rows, FILES);
}

/** @param {{name: string, cold: object}[]} rows one a vault */
export function renderIndexing(rows) {
  return table(rows, INDEXING);
}

/** @param {{notes: number, p50: number, p95: number}[]} edits one a vault, the smallest first */
export function renderEdits(edits) {
  const [smallest] = edits;
  const flatness = ({ p50 }) => (p50 / smallest.p50).toFixed(1);
  return [
    '| an edited note is found by its new word | p50 / p95 after its job began | ÷ the smallest vault, p50 |',
    '| --- | --- | --- |',
    ...edits.map((edit) => `| among ${edit.notes} notes | ${ms(edit)} | ${flatness(edit)} |`),
    '',
  ].join('\n');
}

function table(rows, figures) {
  return [
    `${measuredBy('npm run bench')}.`,
    '',
    `| | ${rows.map(({ name }) => name).join(' | ')} |`,
    `| --- | ${rows.map(() => '---').join(' | ')} |`,
    ...figures.map(([label, value]) => `| ${label} | ${rows.map((row) => value(row)).join(' | ')} |`),
    '',
  ].join('\n');
}

/** The command, the day, the commit and the machine, as they stand above each table. */
export function measuredBy(command) {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const day = new Date().toISOString().slice(0, 10);
  return `Measured by \`${command} -- ${process.argv.slice(2).join(' ')}\` on ${day}, commit ${commit()}, Node ${process.version}, ${machine}`;
}

const seconds = (value) => (value === null || value === undefined ? 'not run' : `${value.toFixed(2)} s`);
const ms = (value) => (value ? `${value.p50.toFixed(1)} / ${value.p95.toFixed(1)} ms` : 'not run');
const megabytes = (value) => (value?.now ? `${value.now} (peak ${value.peak}) MB` : 'unknown');

const FIGURES = [
  ['notes, documents, chunks', ({ figures: f }) => `${f.notes}, ${f.documents}, ${f.chunks}`],
  ['start to word-searchable', ({ figures: f }) => seconds(f.wordsSeconds)],
  ['start to fully embedded (`builtin`)', ({ figures: f }) => seconds(f.embeddedSeconds)],
  ['restart to ready, nothing changed', ({ figures: f }) => seconds(f.restartSeconds)],
  ['search over HTTP, p50 / p95', ({ figures: f }) => ms(f.search)],
  ['the same while embedding runs', ({ figures: f }) => ms(f.whileEmbedding)],
  ['resident memory once word-searchable', ({ figures: f }) => megabytes(f.memoryAtWords)],
  ['resident memory at the end', ({ figures: f }) => megabytes(f.memory)],
  ['resident memory after the restart', ({ figures: f }) => megabytes(f.restartMemory)],
  ['peer minisearch: index in memory', ({ peer }) => seconds(peer.indexSeconds)],
  ['peer minisearch: search, p50 / p95', ({ peer }) => ms(peer.search)],
  ['word-searchable ÷ peer index time', ({ figures: f, peer }) => (f.wordsSeconds / peer.indexSeconds).toFixed(1)],
];

const perSecond = ({ notes, seconds: took }) => `${(notes / took).toFixed(0)} notes/s`;
const timesPeer =
  (peer) =>
  ({ cold }) =>
    (cold['vault-mcp'].seconds / cold[peer].seconds).toFixed(1);

const perProcessorSecond = ({ notes, processor }) => (notes / processor).toFixed(0);

const INDEXING = [
  ['notes', ({ cold }) => `${cold['vault-mcp'].notes}`],
  ['cold, until words find them', ({ cold }) => perSecond(cold['vault-mcp'])],
  ['peer minisearch, in memory', ({ cold }) => perSecond(cold.minisearch)],
  ['peer orama, in memory', ({ cold }) => perSecond(cold.orama)],
  ['time ÷ minisearch', timesPeer('minisearch')],
  ['time ÷ orama', timesPeer('orama')],
  [
    'notes a second of the processor: ours, minisearch, orama',
    ({ cold }) => ['vault-mcp', 'minisearch', 'orama'].map((name) => perProcessorSecond(cold[name])).join(', '),
  ],
];

const WRITES = [
  ['write a note of 18 KB over HTTP, p50 / p95', ({ writes: w }) => ms(w.put)],
  ['append to it', ({ writes: w }) => ms(w.append)],
  ['append to one section of it', ({ writes: w }) => ms(w.patch)],
  ['append, and wait until words find it', ({ writes: w }) => ms(w.untilFound)],
  ['200 appends to one note at once', ({ writes: w }) => `${w.atOncePerSecond.toFixed(0)} a second`],
  ['move a note that 100 notes link to', ({ writes: w }) => `${w.move.toFixed(0)} ms`],
  ['peer: the same bytes by bare system calls', ({ writes: w }) => ms(w.bare)],
  ['write ÷ peer, p50', ({ writes: w }) => (w.put.p50 / w.bare.p50).toFixed(1)],
];

const FILES = [
  ['notes', ({ files: f }) => `${f.notes}`],
  ['first answer, which reads every note', ({ files: f }) => `${f.first.toFixed(0)} ms`],
  ['notes by their frontmatter, p50 / p95', ({ files: f }) => ms(f.byFrontmatter)],
  ['what runs out in a year', ({ files: f }) => ms(f.expiries)],
  ['the same, right after a note was edited', ({ files: f }) => ms(f.edited)],
  ['first list of callouts, which parses every note', ({ files: f }) => `${f.firstChecks.callouts.toFixed(0)} ms`],
  ['callouts, p50 / p95', ({ files: f }) => ms(f.callouts)],
  [
    'first maintenance, which also compares all vectors',
    ({ files: f }) => `${f.firstChecks.maintenance.toFixed(0)} ms`,
  ],
  ['maintenance: every check, p50 / p95', ({ files: f }) => ms(f.maintenance)],
  ['the same, right after a note was edited', ({ files: f }) => ms(f.maintenanceEdited)],
  [
    'resident memory before the first answer, after the questions, after the checks',
    ({ files: f }) => `${f.memory.before}, ${f.memory.after}, ${f.memory.checked} MB`,
  ],
  ['peer: folders listed and stats taken by bare system calls', ({ files: f }) => ms(f.peer)],
  ['notes by their frontmatter ÷ peer, p50', ({ files: f }) => (f.byFrontmatter.p50 / f.peer.p50).toFixed(1)],
];

/**
 * Puts a text between a section's markers in bench/RESULTS.md.
 * @param {string} section the command that makes it
 */
export function writeSection(section, text) {
  const [begin, end] = [`<!-- ${section}: begin -->`, `<!-- ${section}: end -->`];
  const [head, rest] = readFileSync(FILE, 'utf8').split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error(`${FILE} has lost the markers of ${section}`);
  writeFileSync(FILE, `${head}${begin}\n${text}${end}${tail}`);
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
