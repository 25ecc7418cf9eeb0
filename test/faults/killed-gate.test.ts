/**
 * A process that is killed at any instant while it proposes, decides or consolidates, and what the recovery that doctor runs makes
 * of it: whatever had come is in a note, in the discard log or waits with its token; no note is half written or half superseded;
 * and a second recovery finds nothing to do. Danger: kills that hit nothing prove nothing, so many wait for a sign on the disk, and
 * it is counted that each kind of write was cut short and completed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { candidateHash, parseCandidate } from '@vault-mcp/api/memory/gate/candidate';
import { recoverProposals } from '@vault-mcp/api/memory/gate/recover';
import { gatePorts } from '@vault-mcp/api/operations/gate-ports';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { sweepTempFiles } from '@vault-mcp/shared/vault/temp-files';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recoverLeft } from '../../apps/cli/src/recovered-proposals.ts';
import { type GateVault, gateVault, OTHERS, type Proposal } from '../support/gate-vault.ts';

const PROGRAM = join(import.meta.dirname, '../support/gate-process.mjs');
const KILLS = 100;
/** As many at most where a kind of write has not been cut short by then, which chance decides. */
const MOST_KILLS = 180;
const SEEDS = 40;
/** A life does one of these. */
const WHAT = ['file', 'supersede', 'update', 'append', 'discard', 'consolidate'] as const;
/** Of a life that consolidates: pairs of notes that say nearly the same, each merged once. */
const MERGES = 3;
/** Lives between looks of the index at what has become of the vault. */
const INDEXED_EVERY = 12;
/** Of a life without a sign. */
const AT_MOST_MS = 1_000;
const REAL_NOTE = /^(?!\.).*\.md$/;

const word = (i: number) => `k${i.toString(36)}v`.repeat(3);
const seedOf = (i: number) => `Seed ${word(i)} grows ${word(i)}leaf and ${word(i)}root in ${word(i)}soil.`;
const SEED_TEXTS = [...Array(SEEDS)].map((_, i) => seedOf(i));
const PAIRS = [...Array(MERGES * Math.ceil(MOST_KILLS / WHAT.length))].map((_, i) =>
  ['.', '!'].map((end) => `Pair ${word(i + 1e4)} is ${word(i + 2e4)}${end}`),
);
const OLD_TEXTS = [...SEED_TEXTS, ...PAIRS.flat()];
/** What a kill has to have cut short once, and the recovery completed. */
const KINDS = ['create', 'supersede', 'update', 'append', 'discard', 'consolidate'] as const;

interface Said {
  readonly calling?: Proposal;
  readonly merging?: readonly { readonly body: string }[];
  readonly answered?: { readonly status: string };
  readonly body?: string;
}

interface Row {
  readonly hash: string;
  readonly state: string;
  /** What its intent is, one of KINDS; null while there is none. */
  readonly doing: string | null;
}

/** Everything that was asked for, over all lives. */
class Asked {
  readonly candidates: Proposal[] = [];
  /** The bodies of those that were answered. */
  readonly answered = new Set<string>();
  /** Every line that a note's body may have. */
  readonly lines = new Set([...OLD_TEXTS, ...Object.values(OTHERS).flatMap((text) => String(text).split('\n'))]);

  take({ calling, merging = [], answered, body }: Said): void {
    if (calling !== undefined) {
      this.candidates.push(calling);
      const id = calling.body.match(/[0-9a-f-]{36}/)?.[0];
      for (const line of [calling.body, `New words ${id}`, `Added ${id}`]) this.lines.add(line);
    }
    for (const merge of merging) this.lines.add(merge.body);
    if (answered !== undefined && body !== undefined) this.answered.add(body);
  }
}

let vault: GateVault;
let children: ChildProcess[];
beforeEach(async () => {
  children = [];
  const seeds = SEED_TEXTS.map((text, i) => [`Seeds/${i}.md`, `---\ntitle: ${word(i)}\n---\n${text}\n`]);
  const pairs = PAIRS.flatMap((pair, i) => pair.map((text, n) => [`Pairs/${i}-${n}.md`, `${text}\n`]));
  vault = await gateVault({ ...OTHERS, ...Object.fromEntries([...seeds, ...pairs]) });
  await mkdir(join(vault.context.vault.root, 'New'));
}, 120_000);
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await vault.remove();
});

async function startChild(): Promise<ChildProcess> {
  const child = fork(PROGRAM, [vault.context.vault.root, vault.context.config.data.path], { execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return child;
}

function readRows(): Row[] {
  const db = new Database(join(vault.context.config.data.path, 'memory.db'), { readonly: true, timeout: 5_000 });
  try {
    return db
      .prepare<[], Row>(
        `SELECT candidate_hash AS hash, state, CASE
           WHEN intent IS NULL THEN NULL
           WHEN kind = 'consolidate' THEN kind
           WHEN intent ->> 'action' = 'update' AND instr(intent ->> 'update', 'Added ') > 0 THEN 'append'
           ELSE intent ->> 'action' END AS doing FROM proposal`,
      )
      .all();
  } finally {
    db.close();
  }
}

const isWriting = () => readRows().some(({ state }) => state === 'writing');

/** Resolves at an instant that is picked at random, or a moment after something has happened on the disk. */
function instant(life: number): { readonly comes: Promise<unknown>; end(): void } {
  const { root } = vault.context.vault;
  const signs = [
    { folder: vault.context.config.data.path, of: 'memory.db-wal', counts: () => true, nth: 1 + Math.random() * 12 },
    { folder: vault.context.config.data.path, of: 'memory.db-wal', counts: isWriting, nth: 1 },
    { folder: vault.context.config.data.path, of: 'memory.db-wal', counts: isWriting, nth: 1 },
    { folder: join(root, 'New'), of: '', counts: () => true, nth: 1 + Math.random() * 6 },
    { folder: root, of: '.discarded.log', counts: () => true, nth: 1 + Math.random() * 3 },
  ];
  // In turn, and against the turns of what it does.
  const sign = signs[Math.floor(life / WHAT.length) % (signs.length + 1)];
  if (sign === undefined) return { comes: sleep(Math.random() ** 2 * 120), end: () => undefined };
  let left = Math.floor(sign.nth);
  let end: () => void = () => undefined;
  const comes = new Promise<void>((resolve) => {
    const watcher = watch(sign.folder, (_event, name) => {
      if (String(name).startsWith(sign.of) && left > 0 && sign.counts() && --left === 0) resolve();
    });
    end = () => watcher.close();
  });
  return { comes: comes.then(() => sleep(Math.random() ** 3 * 12)), end };
}

/** Does one kind of thing until it is killed. */
async function lifeOf(life: number, child: ChildProcess, asked: Asked): Promise<void> {
  const what = WHAT[life % WHAT.length];
  const closed = once(child, 'close');
  child.on('message', (said: Said) => asked.take(said));
  const called = once(child, 'message');
  const merges = [...Array(MERGES).keys()].map((n) => {
    const i = Math.floor(life / WHAT.length) * MERGES + n;
    const members = [0, 1].map((of) => `Pairs/${i}-${of}.md`);
    return { members, title: `Merged ${i}`, body: `Merged ${word(i)} of two.` };
  });
  child.send({ call: 'forever', what, seeds: SEED_TEXTS, merges });
  await called;
  const { comes, end } = instant(life);
  await Promise.race([comes, sleep(AT_MOST_MS)]);
  child.kill('SIGKILL');
  end();
  expect(await closed, 'it ended by itself').toEqual([null, 'SIGKILL']);
}

/**
 * What stands in the discard log. A kill may tear the line that is being written where a page of memory ends: such a one is
 * no entry, ends where the next begins, and there are no more of them than there were kills.
 */
async function discardLines(kills: number): Promise<string[]> {
  const text = await readFile(join(vault.context.vault.root, '.discarded.log'), 'utf8').catch(() => '');
  const all = text.split('\n').filter((line) => line !== '');
  const lines = all.filter(isWhole);
  expect(all.length - lines.length).toBeLessThanOrEqual(kills);
  const numbers = lines.map((line) => JSON.parse(line).n as number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
  return lines;
}

function isWhole(line: string): boolean {
  try {
    return Number.isInteger(JSON.parse(line).n);
  } catch {
    return false;
  }
}

async function expectNothingLost(asked: Asked, kills: number): Promise<void> {
  const everything = await vault.everything();
  expect(Object.keys(everything).filter((path) => /(^|\/)\.(?!discarded|gitignore)/.test(path))).toEqual([]);
  const notes = Object.fromEntries(Object.entries(everything).filter(([path]) => REAL_NOTE.test(path)));
  const kept = `${Object.values(notes).join('\n')}\n${(await discardLines(kills)).join('\n')}`;
  const states = new Map(readRows().map(({ hash, state }) => [hash, state]));
  expect([...states.values()].filter((state) => state !== 'open' && state !== 'done')).toEqual([]);
  for (const candidate of asked.candidates) {
    const state = states.get(candidateHash(parseCandidate(candidate, { timestampKey: 'timestamp' })));
    // It was killed before it was recorded, and nobody was promised anything.
    if (state === undefined) expect(asked.answered).not.toContain(candidate.body);
    else expect(kept.includes(candidate.body) || state === 'open', candidate.body).toBe(true);
  }
  for (const text of OLD_TEXTS) expect(kept.includes(text), text).toBe(true);
  for (const [path, text] of Object.entries(notes)) expectWhole(notes, path, text, asked);
}

/** Nothing that nobody wrote, and each mark answered by its other half. */
function expectWhole(notes: Record<string, string>, path: string, text: string, asked: Asked): void {
  const { data, error } = parseFrontmatter(text);
  expect(error, path).toBeUndefined();
  const body = text.replace(/^---\n.*?\n---\n/s, '').split('\n');
  const strange = body.filter((line) => line !== '' && !asked.lines.has(line));
  expect(strange, path).toEqual([]);
  expect(body.join(''), path).not.toBe('');
  const own = `[[${path.replace(/\.md$/, '')}]]`;
  const dataOf = (mark: unknown) => parseFrontmatter(notes[`${String(mark).slice(2, -2)}.md`] ?? '').data;
  for (const mark of (data.supersedes ?? []) as unknown[]) expect(dataOf(mark).superseded_by, path).toBe(own);
  if (data.superseded_by !== undefined) expect(dataOf(data.superseded_by).supersedes, path).toContain(own);
}

/** @returns how many were completed and put away */
async function recoverTwice(): Promise<{ completed: number; shelved: number }> {
  const { config, log, locks } = vault.context;
  const { problem, ...recovered } = await recoverLeft(config, log);
  expect(problem).toBeNull();
  await sweepTempFiles(vault.context.vault, locks, { onProblem: () => undefined });
  const [before, rows] = [await vault.everything(), readRows()];
  const again = await recoverProposals(gatePorts(vault.context, { agent: 'operator' }));
  expect(again).toMatchObject({ completed: 0, shelved: 0, failed: 0 });
  expect(await vault.everything()).toEqual(before);
  expect(readRows()).toEqual(rows);
  return recovered;
}

describe('a process that is killed while it proposes, decides or consolidates', () => {
  it(`loses nothing and leaves nothing half done, ${KILLS} times`, async () => {
    const asked = new Asked();
    const cut = new Map<string | null, number>();
    const done = { completed: 0, shelved: 0 };
    let next = startChild();
    const goesOn = (life: number) => life < KILLS || (life < MOST_KILLS && cut.size < KINDS.length);
    for (let life = 0; goesOn(life); life++) {
      const child = await next;
      await lifeOf(life, child, asked);
      // It opens everything beside the recovery, as a server that is started at once.
      if (life + 1 < MOST_KILLS) next = startChild();
      for (const { state, doing } of readRows()) if (state === 'writing') cut.set(doing, (cut.get(doing) ?? 0) + 1);
      const { completed, shelved } = await recoverTwice();
      done.completed += completed;
      done.shelved += shelved;
      await expectNothingLost(asked, life + 1);
      if (life % INDEXED_EVERY === INDEXED_EVERY - 1) {
        await vault.context.queue.add('reconcile', {});
        await vault.indexed.settled();
      }
    }
    expect([...cut.keys()].toSorted()).toEqual(KINDS.toSorted());
    expect(done.completed).toBeGreaterThan(KINDS.length);
    expect(done.shelved).toBeGreaterThan(0);
  }, 600_000);
});
