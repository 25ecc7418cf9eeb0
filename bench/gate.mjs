/**
 * `npm run bench:gate`: what remembering takes over HTTP, on a vault of 5 000 made-up notes indexed by the lexical embedder, so
 * that no model's time is in it: a proposal that notes say something similar to, the decision about it, one that becomes a note
 * at once; consolidation without writing, and what its parts take beside every two vectors compared plainly; a fact onto one of
 * 1 000 wiki pages, without and with git. The peers are what durability costs on this disk by bare system calls, and what git
 * takes to commit one file by itself.
 *
 *   npm run bench:gate -- --write         puts the tables into bench/RESULTS.md
 *   npm run bench:gate -- --notes 300     fewer notes, to see that it runs; `--rounds 10`: fewer calls
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureGrouping } from './consolidation-figures.mjs';
import { consolidation, facts, proposals } from './gate-calls.mjs';
import { fact, writeNotes, writePages } from './gate-vault.mjs';
import { percentiles } from './percentiles.mjs';
import { measuredBy, writeSection } from './report.mjs';
import { startServed } from './served.mjs';
import { bareWrite } from './write-figures.mjs';

const CEILINGS = [0.1, 0.3];
const NOTES = numberAfter('--notes', 5_000);
const ROUNDS = numberAfter('--rounds', 100);

const base = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-gate-'));
try {
  const report = render(await measure(join(base, 'vault'), join(base, 'data')));
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeSection('npm run bench:gate', report);
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function measure(vault, data) {
  const notes = writeNotes(vault, NOTES);
  const slugs = writePages(vault);
  const bare = await bareWrites(join(base, 'bare'), notes);
  const dry = await whileServed({ vault, data, git: 'off' }, async (served) => {
    const each = [];
    for (const ceiling of CEILINGS) each.push(await consolidation(served, ceiling));
    return each;
  });
  // With no server up: while this process computes for seconds, a server would close the connection that its next call takes.
  const parts = CEILINGS.map((ceiling) => measureGrouping(join(data, 'index.db'), ceiling, ['Wiki']));
  const first = await whileServed({ vault, data, git: 'off' }, async (served) => ({
    ...(await proposals(served, notes, ROUNDS)),
    facts: await facts(served, slugs, ROUNDS, 'off'),
  }));
  git(vault, 'init', '-q');
  git(vault, 'add', '-A');
  git(vault, 'commit', '-qm', 'The vault');
  const committed = await whileServed({ vault, data, git: 'on' }, (served) =>
    facts(served, slugs, ROUNDS, 'committed'),
  );
  return { ...first, dry, parts, committed, bare, bareGit: bareCommits(vault, slugs) };
}

async function whileServed({ vault, data, git: mode }, work) {
  const served = await startServed({ vault, data, env: { EMBED_PROVIDER: 'lexical', HISTORY_GIT: mode } });
  try {
    await served.until(({ index, queue }) => index.state === 'ready' && queue.depth === 0 && index.pending === 0);
    return await work(served);
  } finally {
    await served.stop();
  }
}

/** The notes' own bytes, as lasting as the gate's. */
async function bareWrites(folder, notes) {
  mkdirSync(folder);
  const times = [];
  for (const [n, { body }] of notes.slice(0, ROUNDS).entries()) {
    const before = performance.now();
    await bareWrite(folder, n, body);
    times.push(performance.now() - before);
  }
  return percentiles(times);
}

/** A line more on a page, and that page committed. */
function bareCommits(vault, slugs) {
  const times = slugs.slice(0, ROUNDS).map((slug) => {
    const page = join('Wiki', `${slug}.md`);
    appendFileSync(join(vault, page), `- ${fact()}\n`);
    const before = performance.now();
    git(vault, 'commit', '-qm', 'A fact', '--only', '--', page);
    return performance.now() - before;
  });
  return percentiles(times);
}

function git(vault, ...args) {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
  execFileSync('git', ['-C', vault, ...who, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

function numberAfter(option, otherwise) {
  const at = process.argv.indexOf(option);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

function render({ first, supersede, create, facts: plain, committed, bare, bareGit, dry, parts }) {
  const row = (label, { p50, p95 }) => `| ${label} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`;
  const measured = (label, of) => `| ${label} | ${CEILINGS.map((_, n) => of(parts[n], dry[n])).join(' | ')} |`;
  const ms = (value) => `${value.toFixed(0)} ms`;
  return `${measuredBy('npm run bench:gate')}: ${NOTES} notes, ${ROUNDS} calls of each kind.

| milliseconds over HTTP | p50 | p95 |
| --- | --- | --- |
${row('propose: notes are shown', first)}
${row('the decision about it: supersede', supersede)}
${row('propose: nothing is similar, a note at once', create)}
${row('peer: a note by bare system calls', bare)}
${row('a fact onto one of 1 000 wiki pages, without git', plain)}
${row('the same with git, which commits the page', committed)}
${row('peer: `git commit` of one page by itself', bareGit)}

| consolidation of ${parts[0].notes} notes without writing, ceiling | ${CEILINGS.join(' | ')} |
| --- | ${CEILINGS.map(() => '---').join(' | ')} |
${measured('over HTTP', (_, { ms: all }) => ms(all))}
${measured('clusters, near pairs', ({ pairs }, { clusters }) => `${clusters}, ${pairs}`)}
${measured('of that reading the vectors', ({ reading }) => ms(reading))}
${measured('finding the neighbours', ({ neighbours }) => ms(neighbours))}
${measured('linkage', ({ linkage }) => ms(linkage))}
${measured('peer: every two vectors compared plainly', ({ peer }) => ms(peer))}
${measured('peer ÷ finding the neighbours', ({ peer, neighbours }) => (peer / neighbours).toFixed(1))}
`;
}
