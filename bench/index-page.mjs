/**
 * `npm run bench:index-page`: what keeping `index.md` takes on the help vault as a whole, by words only so that nothing else
 * runs meanwhile. First through the real program: a note's title is changed over HTTP, and the file at the root is watched.
 * Then the making of the page alone, over the index that the program has left. The peer makes such a page of the files
 * themselves: every note read, its first heading found by a pattern, one list written.
 *
 *   npm run bench:index-page -- --write    puts the table into bench/RESULTS.md
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { observePresence } from '@vault-mcp/shared/vault/presence';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { createCatalogPublisher } from '../apps/indexer/dist/catalog/publish.js';
import { helpVault } from './help-vault.mjs';
import { percentiles } from './percentiles.mjs';
import { measuredBy, writeSection } from './report.mjs';
import { startServed } from './served.mjs';

const ROUNDS = 20;
/** Longer than changes wait for one another. */
const APART_MS = 1500;
const NOTE = 'Bench note.md';

const help = helpVault();
if (help === null) {
  process.stderr.write('The help vault is not at hand (TEST_SHARED_FOLDER): there is nothing to measure on.\n');
  process.exit(1);
}
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-index-page-'));
try {
  const [vault, data] = [join(base, 'vault'), join(base, 'data')];
  cpSync(help.path, vault, { recursive: true });
  const report = render({ ...(await throughProgram(vault, data)), ...(await alone(vault, data)), peer: peer(vault) });
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeSection('npm run bench:index-page', report);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function throughProgram(vault, data) {
  const served = await startServed({ vault, data, env: { EMBED_PROVIDER: 'lexical' } });
  try {
    const status = await settled(served);
    const [shown, hidden] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(APART_MS);
      shown.push(await untilListed(served, join(vault, 'index.md'), `Title of round ${round}`));
    }
    for (let round = 0; round < ROUNDS; round++) hidden.push(await edit(served, `Title of round ${ROUNDS - 1}`, round));
    return {
      entries: status.index_doc.entries,
      bytes: statSync(join(vault, 'index.md')).size,
      shown: percentiles(shown),
      answered: percentiles(hidden),
    };
  } finally {
    await served.stop();
  }
}

function settled(served) {
  const isSettled = ({ index, index_doc, queue }) =>
    index.state === 'ready' && index_doc.state === 'published' && queue.depth === 0;
  return served.until(isSettled).then(() => served.ready());
}

/** Milliseconds from sending an edit to the page on the disk showing it. */
async function untilListed(served, page, title) {
  const started = performance.now();
  const editing = edit(served, title, 0);
  while (!readFileSync(page, 'utf8').includes(title)) await sleep(1);
  const ms = performance.now() - started;
  await editing;
  return ms;
}

/** Milliseconds until a write is answered as searchable. */
async function edit(served, title, round) {
  const started = performance.now();
  const body = `# ${title}\n\nA note of the benchmark.\n\nRound ${round}.\n`;
  const headers = { 'content-type': 'text/markdown' };
  const answer = await served.get(`/vault/${encodeURIComponent(NOTE)}?wait=indexed`, { method: 'PUT', headers, body });
  if (!answer.ok) throw new Error(`PUT answered ${answer.status}`);
  await answer.json();
  return performance.now() - started;
}

/** The publisher over the index, one title changed each time; and asked when nothing has changed. */
async function alone(vault, data) {
  const writer = openIndexWriter(join(data, 'index.db'));
  const locks = await openPathLocks(data);
  const opened = await openVault(vault, { docSuffixes: [] });
  let round = 0;
  const publisher = createCatalogPublisher({
    ...{ vault: opened, locks, excludeDirs: [], noteMaxBytes: 0, timestampKey: 'timestamp', now: () => new Date() },
    presence: await observePresence(opened.root),
    index: {
      generation: () => round,
      storedNotes: () =>
        writer.storedNotes().map((note) => (note.path === NOTE ? { ...note, title: `${round}` } : note)),
    },
  });
  const timed = async () => {
    const started = performance.now();
    const { state } = await publisher.publish();
    if (state !== 'published') throw new Error(`the page is ${state}`);
    return performance.now() - started;
  };
  const [made, unchanged] = [[], []];
  for (; round < ROUNDS; round++) {
    made.push(await timed());
    await timed();
    unchanged.push(await timed());
  }
  locks.close();
  writer.close();
  return { made: percentiles(made), unchanged: percentiles(unchanged) };
}

function peer(vault) {
  const times = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    const lines = readdirSync(vault, { recursive: true })
      .filter((path) => path.endsWith('.md') && path !== 'index.md')
      .map((path) => {
        const title = /^# (.+)$/m.exec(readFileSync(join(vault, path), 'utf8'))?.[1] ?? basename(path, '.md');
        return `- [${title}](${encodeURI(path)})`;
      });
    writeFileSync(`${vault}.md`, lines.sort().join('\n'));
    times.push(performance.now() - started);
  }
  return percentiles(times);
}

function render({ entries, bytes, shown, answered, made, unchanged, peer: bare }) {
  const ms = (times) => `${times.p50.toFixed(1)} / ${times.p95.toFixed(1)} ms`;
  return `${measuredBy('npm run bench:index-page')}.

| | obsidian-help, all |
| --- | --- |
| notes listed, size of the page | ${entries}, ${Math.round(bytes / 1024)} KB |
| the page made and written after one change, p50 / p95 | ${ms(made)} |
| a look when nothing has changed | ${ms(unchanged)} |
| an edit over HTTP, until the page on the disk shows it | ${ms(shown)} |
| an edit that the page does not show, until it is searchable | ${ms(answered)} |
| peer: every note read, one pattern, one list written | ${ms(bare)} |
| the page made and written ÷ peer, p50 | ${(made.p50 / bare.p50).toFixed(2)} |
`;
}
