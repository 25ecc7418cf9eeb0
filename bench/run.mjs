/**
 * `npm run bench`: starts the real program on real vaults and measures what a person waits for. Danger: figures from a
 * busy machine mean nothing by themselves, so a peer runs on the same input in the same run, and its ratio is the
 * figure to compare.
 *
 *   npm run bench                          examples/vault, and the help vault's `en` folder where it is at hand
 *   npm run bench -- --vault DIR           a folder of your own
 *   npm run bench -- --full                also the whole help vault, until every chunk is embedded (some 20 minutes)
 *   npm run bench -- --writes              what writes cost, and nothing else
 *   npm run bench -- --files               what questions about every note take, and nothing else
 *   npm run bench -- --indexing            what it takes until words find notes, and nothing else
 *   npm run bench -- --write               puts the tables into bench/RESULTS.md
 */
import { parseArgs } from 'node:util';
import { measureFiles } from './files-figures.mjs';
import { helpVault } from './help-vault.mjs';
import { measureCold, measureEdits, measureSmallNotes } from './indexing.mjs';
import { measurePeer } from './peer-minisearch.mjs';
import { renderEdits, renderFiles, renderIndexing, renderReport, renderWrites, writeSection } from './report.mjs';
import { measureVault } from './vault-figures.mjs';
import { measureWrites } from './write-figures.mjs';

const { values: options } = parseArgs({
  options: {
    vault: { type: 'string', multiple: true, default: [] },
    full: { type: 'boolean', default: false },
    writes: { type: 'boolean', default: false },
    files: { type: 'boolean', default: false },
    indexing: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const exampleQueries = ['when does the car insurance end', 'DEC-0054', 'heating contract price', 'Packliste', '車検'];
const vaults = options.vault.map((path) => ({ name: path, path, queries: exampleQueries, embed: true }));
if (vaults.length === 0) {
  vaults.push({ name: 'examples/vault', path: 'examples/vault', queries: exampleQueries, embed: true });
  const help = helpVault();
  if (help === null) {
    process.stderr.write('The help vault is not at hand (TEST_SHARED_FOLDER): only the example vault is measured.\n');
  } else {
    vaults.push({ name: 'obsidian-help, en', path: `${help.path}/en`, queries: help.queries, embed: true });
    vaults.push({ name: 'obsidian-help, all', path: help.path, queries: help.queries, embed: options.full });
  }
}

const say = (line) => process.stderr.write(`  ${line}\n`);
const rows = [];
const alone = options.files || options.writes;
const cold = [];
for (const vault of vaults) {
  process.stderr.write(`measuring ${vault.name} …\n`);
  if (!alone) cold.push({ name: vault.name, cold: measureCold(vault) });
  if (options.indexing) continue;
  const row = { name: vault.name };
  if (options.files) {
    rows.push({ ...row, files: await measureFiles(vault) });
    continue;
  }
  if (!options.writes) Object.assign(row, { peer: await measurePeer(vault), figures: await measureVault(vault, say) });
  rows.push({ ...row, writes: await measureWrites(vault) });
}
if (!alone) cold.push({ name: 'small notes', cold: measureSmallNotes(say) });
const edits = alone ? [] : measureEdits(say);
const sections = {
  ...(!alone && { 'npm run bench, indexing': `${renderIndexing(cold)}\n${renderEdits(edits)}` }),
  ...(options.files && { 'npm run bench, files': renderFiles(rows) }),
  ...(!alone && !options.indexing && { 'npm run bench': renderReport(rows) }),
  ...(!options.files && !options.indexing && { 'npm run bench, writing': renderWrites(rows) }),
};
const report = Object.values(sections).join('\n');
process.stdout.write(options.json ? `${JSON.stringify({ rows, cold, edits }, null, 2)}\n` : report);
if (options.write) for (const [section, text] of Object.entries(sections)) writeSection(section, text);
