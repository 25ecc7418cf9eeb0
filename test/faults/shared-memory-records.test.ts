/** Several processes on the records of memory: the api, the CLI and a stdio server share a data folder and a vault. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@vault-mcp/shared/log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import type { ProposalStore } from '@vault-mcp/shared/records/proposal-store';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '../support/memory-records-process.mjs');

let folder: TempFolder;
let root: string;
let dataPath: string;
let locks: PathLocks;
let proposals: ProposalStore;
let children: ChildProcess[];
beforeEach(async () => {
  folder = await createTempFolder('memory-records');
  root = join(folder.path, 'vault');
  dataPath = join(folder.path, 'data');
  mkdirSync(root);
  writeFileSync(join(root, 'a.md'), 'a note\n');
  locks = await openPathLocks(dataPath);
  proposals = openProposals(join(dataPath, 'memory.db'), { owner: locks.owner, logger: silentLogger() });
  children = ['one', 'two', 'three'].map((name) => fork(PROGRAM, [root, dataPath, name], { execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
});
afterEach(async () => {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.send({ what: 'end' });
  await Promise.all(ended);
  proposals.close();
  locks.close();
  await folder.remove();
});

/** Has each process do it at the same time. @returns what each did */
async function allDo<T>(asked: object): Promise<T[]> {
  const done = children.map((child) => once(child, 'message') as Promise<[{ did: T }]>);
  for (const child of children) child.send(asked);
  return (await Promise.all(done)).map(([{ did }]) => did);
}

/** What the children's program proposes. */
const PROPOSED = { kind: 'propose', agent: 'a', candidateHash: 'h', request: { title: 'proposed' } } as const;

function offered(): string {
  const { row } = proposals.begin(PROPOSED);
  return proposals.offer(row.id, { seen: [], expiresMs: Date.now() + 600_000 });
}

describe('three processes', () => {
  it('that claim the same tokens have each of them once', async () => {
    const tokens = Array.from({ length: 60 }, offered);
    const had = await allDo<string[]>({ what: 'claim', tokens });
    expect(had.flat().sort()).toEqual([...tokens].sort());
  });

  it('that propose under the same keys do each of them once', async () => {
    const keys = Array.from({ length: 30 }, (_, i) => `key-${i}`);
    const fresh = await allDo<string[]>({ what: 'propose', keys });
    expect(fresh.flat().sort()).toEqual([...keys].sort());
    expect(proposals.answersSince(0)).toHaveLength(30);
  });

  it('that discard at the same time give each entry a number of its own, through every file that is put aside', async () => {
    const numbers = await allDo<number[]>({ what: 'discard', count: 30 });
    expect(numbers.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 90 }, (_, i) => i + 1));
    const log = openDiscardLog(await openVault(root, { docSuffixes: [] }), locks, { logger: silentLogger() });
    expect(await log.stats()).toEqual({ count: 90, restored: 0, damaged: 0 });
    expect(readdirSync(root).filter((name) => name.startsWith('.discarded.log.')).length).toBeGreaterThan(4);
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('/.discarded*\n');
    for (const [i, own] of numbers.entries()) {
      const name = ['one', 'two', 'three'][i];
      for (const [j, n] of own.entries()) expect((await log.show(n))?.discard.id).toBe(`${name}-${j}`);
    }
  });

  it('that enter facts into the journal leave each line whole', async () => {
    await allDo({ what: 'enter', count: 60 });
    // Who looks at the end while another's line is half there begins a line of its own, which leaves an empty one.
    const lines = readFileSync(join(dataPath, 'journal.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const facts = lines.map((line) => (JSON.parse(line) as { content: string }).content.split(' ')[0]);
    const expected = ['one', 'two', 'three'].flatMap((name) => Array.from({ length: 60 }, (_, i) => `${name}-${i}`));
    expect(facts.sort()).toEqual(expected.sort());
  });
});

describe('what a killed process had in hand', () => {
  it('stands whole, and is taken over under its idempotency key once that process is dead', async () => {
    const [child] = children as [ChildProcess];
    const answered = once(child, 'message') as Promise<[{ did: { id: string; owner: string } }]>;
    child.send({ what: 'begin', idempotencyKey: 'k' });
    const [{ did }] = await answered;
    expect(locks.isAlive(did.owner)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { row, fresh } = proposals.begin({ ...PROPOSED, idempotencyKey: 'k' });
    expect(fresh).toBe(false);
    expect(row).toMatchObject({ ...did, state: 'deciding', request: { title: 'proposed' } });
    expect(locks.isAlive(did.owner)).toBe(false);
    expect(proposals.takeOver(row)).toMatchObject({ id: did.id, owner: locks.owner, state: 'deciding' });
    proposals.finish(did.id, { status: 'done' });
    expect(proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  });
});
