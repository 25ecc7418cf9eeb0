/**
 * `npm run bench:links`: what asking for links takes on the help vault as a whole, over HTTP, by words only so that nothing
 * else runs meanwhile. The peer is what the same costs without anything kept: every note read and its links found by one
 * pattern.
 *
 *   npm run bench:links -- --write    puts the table into bench/RESULTS.md
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helpVault } from './help-vault.mjs';
import { percentiles } from './percentiles.mjs';
import { measuredBy, writeSection } from './report.mjs';
import { startServed } from './served.mjs';

const ROUNDS = 40;

const help = helpVault();
if (help === null) {
  process.stderr.write('The help vault is not at hand (TEST_SHARED_FOLDER): there is nothing to measure on.\n');
  process.exit(1);
}
const base = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-links-'));
try {
  const vault = join(base, 'vault');
  cpSync(help.path, vault, { recursive: true });
  const report = render(await measure(vault, join(base, 'data')));
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeSection('npm run bench:links', report);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function measure(vault, data) {
  const served = await startServed({ vault, data, env: { EMBED_PROVIDER: 'lexical' } });
  try {
    await served.until((status) => status.index.state === 'ready' && status.queue.depth === 0);
    const before = served.memory().now;
    const first = await timed(() => ask(served, '/links'));
    const after = served.memory().now;
    const notes = (await ask(served, '/vault/en/?recursive')).entries.filter(({ type }) => type === 'note');
    const note = (round) => `/links?path=${encodeURIComponent(notes[(round * 7) % notes.length].path)}`;
    return {
      counts: first.answer.counts,
      memory: { before, after },
      first: first.ms,
      vault: await rounds(served, () => '/links'),
      note: await rounds(served, note),
      edited: await rounds(served, note, (round) => edit(served, join(vault, notes[round].path), round)),
      named: await rounds(served, note, (round) => writeFileSync(join(vault, 'en', `New name ${round}.png`), 'x')),
      peer: await timed(() => readAll(vault)),
    };
  } finally {
    await served.stop();
  }
}

/** Answers once the index has the note as it is now. */
async function edit(served, absolute, round) {
  const { generation } = (await served.ready()).index;
  writeFileSync(absolute, `${readFileSync(absolute, 'utf8')}\n[[Home ${round}]]\n`);
  await served.until(({ index, queue }) => index.generation > generation && queue.depth === 0);
}

async function rounds(served, pathOf, prepare = () => {}) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    await prepare(round);
    const { ms } = await timed(() => ask(served, pathOf(round)));
    times.push(ms);
  }
  return percentiles(times);
}

async function ask(served, path) {
  const answer = await served.get(path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

async function timed(run) {
  const started = performance.now();
  const answer = await run();
  return { answer, ms: performance.now() - started };
}

function readAll(vault) {
  let links = 0;
  for (const path of readdirSync(vault, { recursive: true })) {
    if (path.endsWith('.md')) links += readFileSync(join(vault, path), 'utf8').match(/\[\[[^[\]\n]+\]\]/g)?.length ?? 0;
  }
  return links;
}

function render({ counts, memory, first, vault, note, edited, named, peer }) {
  const ms = (times) => `${times.p50.toFixed(1)} / ${times.p95.toFixed(1)} ms`;
  return `${measuredBy('npm run bench:links')}.

| | obsidian-help, all |
| --- | --- |
| notes, links, broken, ambiguous, orphans | ${counts.notes}, ${counts.links}, ${counts.broken}, ${counts.ambiguous}, ${counts.orphans} |
| first answer, which reads every row | ${first.toFixed(0)} ms |
| links of one note, p50 / p95 | ${ms(note)} |
| links of the whole vault | ${ms(vault)} |
| links of one note, right after another was edited | ${ms(edited)} |
| links of one note, right after a file came | ${ms(named)} |
| resident memory before the first answer, after it | ${memory.before}, ${memory.after} MB |
| peer: every note read, one pattern | ${peer.ms.toFixed(0)} ms |
| whole vault ÷ peer, p50 | ${(vault.p50 / peer.ms).toFixed(2)} |
`;
}
