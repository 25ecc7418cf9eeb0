/**
 * `npm run bench`: starts the real program on real vaults and measures what a person waits for. Danger: figures from a
 * busy machine mean nothing by themselves, so a peer runs on the same input in the same run, and its ratio is the
 * figure to compare.
 *
 *   npm run bench                          examples/vault, and the help vault's `en` folder where it is at hand
 *   npm run bench -- --vault DIR           a folder of your own
 *   npm run bench -- --full                also the whole help vault, until every chunk is embedded (some 20 minutes)
 *   npm run bench -- --write               puts the tables into bench/RESULTS.md
 */
import { parseArgs } from 'node:util';
import { helpVault } from './help-vault.mjs';
import { measurePeer } from './peer-minisearch.mjs';
import { renderReport, writeReport } from './report.mjs';
import { measureVault } from './vault-figures.mjs';
import { measureWrites } from './write-figures.mjs';

const { values: options } = parseArgs({
  options: {
    vault: { type: 'string', multiple: true, default: [] },
    full: { type: 'boolean', default: false },
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

const rows = [];
for (const vault of vaults) {
  process.stderr.write(`measuring ${vault.name} …\n`);
  const peer = await measurePeer(vault);
  const figures = await measureVault(vault, (line) => process.stderr.write(`  ${line}\n`));
  const writes = await measureWrites(vault);
  rows.push({ name: vault.name, figures, peer, writes });
}
if (options.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else process.stdout.write(renderReport(rows));
if (options.write) await writeReport(rows);
