/**
 * What a write costs over HTTP on a copy of a vault, words alone being indexed meanwhile: one after the other, many at
 * once on one note, and a move that many notes link to. The peer is what durability itself costs on this disk: the same
 * bytes by the bare system calls (temporary file, fsync, rename, fsync of the folder) in the same run.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from './percentiles.mjs';
import { startServed } from './served.mjs';

const ROUNDS = 100;
const AT_ONCE = 200;
const LINKING_NOTES = 100;
/** A note of some 20 KB with forty sections. */
const NOTE = `---\ntitle: Bench\n---\n${Array.from({ length: 40 }, (_, n) => `## Part ${n}\n\n${'Some words of a note. '.repeat(20)}\n`).join('\n')}`;

/** @param {{path: string}} vault */
export async function measureWrites({ path }) {
  const folder = mkdtempSync(join(tmpdir(), 'vault-mcp-bench-writes-'));
  const copy = join(folder, 'vault');
  try {
    cpSync(path, copy, { recursive: true });
    mkdirSync(join(copy, 'Bench'));
    writeFileSync(join(copy, 'Bench/Target.md'), '# Target\n');
    for (let n = 0; n < LINKING_NOTES; n++) writeFileSync(join(copy, `Bench/Links ${n}.md`), `See [[Target]], ${n}.\n`);
    const bare = await bareWrites(join(folder, 'bare'));
    const served = await startServed({ vault: copy, data: join(folder, 'data'), env: { EMBED_PROVIDER: 'lexical' } });
    try {
      await served.until((status) => status.status === 'ready');
      return { ...(await writesOver(served)), bare };
    } finally {
      await served.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writesOver(served) {
  const write = async (path, init) => {
    const answer = await served.get(path, { method: 'POST', ...init });
    const body = await answer.json();
    if (!answer.ok) throw new Error(`a write failed: ${JSON.stringify(body)}`);
    return body;
  };
  const patch = { method: 'PATCH', headers: { operation: 'append', target: 'Part 20' }, body: 'One more line.' };
  const figures = {
    put: await timed((n) => write(`/vault/Bench/New%20${n}.md`, { method: 'PUT', body: NOTE })),
    append: await timed(() => write('/vault/Bench/New%200.md', { body: 'One more line.' })),
    patch: await timed(() => write('/vault/Bench/New%201.md', patch)),
    untilFound: await timed((n) => write(`/vault/Bench/New%20${n}.md?wait=indexed`, { body: `word${n}` })),
  };
  const before = performance.now();
  const appends = Array.from({ length: AT_ONCE }, (_, n) => write('/vault/Bench/New%202.md', { body: `line ${n}` }));
  await Promise.all(appends);
  const atOncePerSecond = AT_ONCE / ((performance.now() - before) / 1000);
  return { ...figures, atOncePerSecond, move: await timedMove(write) };
}

async function timedMove(write) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ source: 'Bench/Target.md', destination: 'Bench/Deep/Target, moved.md' });
  const before = performance.now();
  const { notes_updated } = await write('/move', { headers, body });
  if (notes_updated !== LINKING_NOTES) throw new Error(`${notes_updated} of ${LINKING_NOTES} notes followed the move`);
  return performance.now() - before;
}

async function timed(work) {
  const times = [];
  for (let n = 0; n < ROUNDS; n++) {
    const before = performance.now();
    await work(n);
    times.push(performance.now() - before);
  }
  return percentiles(times);
}

/** The same bytes, as lasting as ours, without checks, locks, records or HTTP. */
async function bareWrites(folder) {
  mkdirSync(folder);
  return timed((n) => bareWrite(folder, n, NOTE));
}

/** One note, as lasting as a write over HTTP is. */
export async function bareWrite(folder, n, text) {
  const temp = join(folder, `.${n}.tmp`);
  await synced(temp, 'wx', (file) => file.writeFile(text));
  await rename(temp, join(folder, `${n}.md`));
  await synced(folder, 'r', () => undefined);
}

async function synced(path, flags, work) {
  const file = await open(path, flags);
  try {
    await work(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
