/**
 * What a question about every note takes over HTTP, on a copy of a vault in which every tenth note says when it expires,
 * words alone being indexed. The peer is what looking at the files itself costs: each folder listed and each note's stat
 * taken by the bare system calls, in the same run. A time is up to the answer's last byte: what a client makes of it is not
 * the server's.
 */
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from './percentiles.mjs';
import { startServed } from './served.mjs';

const ROUNDS = 60;

/** @param {{path: string}} vault */
export async function measureFiles({ path }) {
  const folder = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-files-'));
  const copy = join(folder, 'vault');
  try {
    cpSync(path, copy, { recursive: true });
    const notes = notesBelow(copy);
    notes.filter((_, n) => n % 10 === 0).forEach(expire);
    const served = await startServed({ vault: copy, data: join(folder, 'data'), env: { EMBED_PROVIDER: 'lexical' } });
    try {
      await served.until((status) => status.index.state === 'ready' && status.queue.depth === 0);
      return { notes: notes.length, ...(await answersOf(served, copy, notes)) };
    } finally {
      await served.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answersOf(served, vault, notes) {
  const before = served.memory().now;
  const ask = async (path) => {
    const started = performance.now();
    const answer = await served.get(path);
    const bytes = await answer.arrayBuffer();
    const took = performance.now() - started;
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    JSON.parse(Buffer.from(bytes).toString());
    return took;
  };
  const first = await ask('/frontmatter?key=tags');
  // Until then the notes just written are read again, whatever their stat.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await ask('/expiries');
  const [byFrontmatter, expiries, edited, peer] = [[], [], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    byFrontmatter.push(await ask('/frontmatter?key=tags'));
    expiries.push(await ask('/expiries?within=365'));
    expire(notes[(round * 10) % notes.length]);
    edited.push(await ask('/expiries?within=365'));
    const started = performance.now();
    notesBelow(vault);
    peer.push(performance.now() - started);
  }
  const after = served.memory().now;
  const checks = await checksOf(ask, notes);
  const all = { byFrontmatter, expiries, edited, peer, ...checks.times };
  const figures = Object.fromEntries(Object.entries(all).map(([name, times]) => [name, percentiles(times)]));
  return { first, firstChecks: checks.first, ...figures, memory: { before, after, checked: served.memory().now } };
}

/** What reads whole notes: callouts, and every check that comes with the program (the vault has no scripts). */
async function checksOf(ask, notes) {
  const first = { callouts: await ask('/callouts'), maintenance: await ask('/maintenance') };
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await ask('/maintenance');
  const [callouts, maintenance, maintenanceEdited] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    callouts.push(await ask('/callouts'));
    maintenance.push(await ask('/maintenance'));
  }
  for (let round = 0; round < ROUNDS; round++) {
    expire(notes[(round * 10) % notes.length]);
    maintenanceEdited.push(await ask('/maintenance'));
  }
  return { first, times: { callouts, maintenance, maintenanceEdited } };
}

/** Says of a note when it expires, in a block of its own or at the head of the one it has. */
function expire(note) {
  const text = readFileSync(note, 'utf8');
  const line = `expires: [{ date: 2027-01-31, what: "round ${performance.now()}" }]\n`;
  const rest = text.replace(/^---\n(expires: .*\n)?/, '');
  writeFileSync(note, rest === text ? `---\n${line}---\n${text}` : `---\n${line}${rest}`);
}

function notesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) return [];
    if (entry.isDirectory()) return notesBelow(path);
    return /\.md$/i.test(entry.name) && lstatSync(path, { bigint: true }).isFile() ? [path] : [];
  });
}
