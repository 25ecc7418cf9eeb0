/**
 * `npm run bench:memory`: what one process holds resident on the help vault as a whole, every tenth note of which says when it
 * expires, once it has been indexed by words and then asked about every note, about every link, and for both again and again;
 * and the same after a restart. Danger: what a heap holds depends on when it was last looked through, so a single figure
 * says little; the most there ever was stands beside each.
 *
 *   npm run bench:memory -- --write    puts the table into bench/RESULTS.md
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { helpVault } from './help-vault.mjs';
import { measuredBy, writeSection } from './report.mjs';
import { startServed } from './served.mjs';

const ROUNDS = 20;
/** Until then what was just written is read again by every question. */
const STILL_MS = 3_000;

const help = helpVault();
if (help === null) {
  process.stderr.write('The help vault is not at hand (TEST_SHARED_FOLDER): there is nothing to measure on.\n');
  process.exit(1);
}
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-memory-'));
try {
  const vault = join(base, 'vault');
  cpSync(help.path, vault, { recursive: true });
  notesBelow(vault)
    .filter((_, n) => n % 10 === 0)
    .forEach(expire);
  const cold = await measure(vault, join(base, 'data'));
  const report = render({ cold, again: await measure(vault, join(base, 'data')) });
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeSection('npm run bench:memory', report);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function measure(vault, data) {
  const served = await startServed({ vault, data, env: { EMBED_PROVIDER: 'lexical' } });
  const ask = async (path) => {
    const answer = await served.get(path);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  };
  try {
    await served.until((status) => status.index.state === 'ready' && status.queue.depth === 0);
    await sleep(STILL_MS);
    const { notes } = (await served.ready()).index;
    const indexed = served.memory();
    await ask('/frontmatter?key=tags');
    await ask('/expiries?within=365');
    const surveyed = served.memory();
    await ask('/links');
    const linked = served.memory();
    for (let round = 0; round < ROUNDS; round++) {
      for (const path of ['/frontmatter?key=tags', '/expiries', '/links', '/search?q=sync&expand_links'])
        await ask(path);
    }
    return { notes, indexed, surveyed, linked, asked: served.memory() };
  } finally {
    await served.stop();
  }
}

/** Says of a note when it expires. */
function expire(note) {
  const text = readFileSync(note, 'utf8');
  const line = 'expires: [{ date: 2027-01-31, what: contract }]\n';
  writeFileSync(note, text.startsWith('---\n') ? `---\n${line}${text.slice(4)}` : `---\n${line}---\n${text}`);
}

function notesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return notesBelow(path);
    return /\.md$/i.test(entry.name) ? [path] : [];
  });
}

function render({ cold, again }) {
  const row = (label, of) => `| ${label} | ${shown(of(cold))} | ${shown(of(again))} |`;
  return `${measuredBy('npm run bench:memory')}.

| MiB resident (the most so far) | after indexing ${cold.notes} notes | after a restart |
| --- | --- | --- |
${row('once ready', ({ indexed }) => indexed)}
${row('after the first questions about every note', ({ surveyed }) => surveyed)}
${row('after the first question about every link', ({ linked }) => linked)}
${row(`after ${ROUNDS} rounds of both, and searches with links`, ({ asked }) => asked)}
`;
}

function shown({ now, peak }) {
  return `${now} (${peak})`;
}
