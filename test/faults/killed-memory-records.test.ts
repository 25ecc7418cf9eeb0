/** A process that is killed at any instant while it writes the records of memory: what it was told is written, is. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@vault-mcp/shared/log';
import { openDiscardLog } from '@vault-mcp/shared/records/discards';
import { openJournal } from '@vault-mcp/shared/records/journal';
import { openProposals } from '@vault-mcp/shared/records/proposals';
import { openPathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '../support/memory-records-process.mjs');
const KILLS = 15;
/** How much it says before it is killed, at the most, and how long it goes on after that, in milliseconds. */
const SAID = 20;
const MORE_MS = 4;

let folder: TempFolder;
let root: string;
let dataPath: string;
beforeEach(async () => {
  folder = await createTempFolder('killed-records');
  root = join(folder.path, 'vault');
  dataPath = join(folder.path, 'data');
  mkdirSync(root);
  writeFileSync(join(root, 'a.md'), 'a note\n');
});
afterEach(() => folder.remove());

interface Told {
  /** Of discards, by their id. */
  readonly numbers: Map<string, number>;
  readonly facts: string[];
  readonly proposals: { readonly id: string; readonly state: string }[];
}

/** Starts one that writes without end, and kills it. */
async function lifeOf(name: string, told: Told): Promise<void> {
  const child: ChildProcess = fork(PROGRAM, [root, dataPath, name], { execArgv: [] });
  await once(child, 'message');
  let left = Math.ceil(Math.random() * SAID);
  const enough = new Promise<void>((resolve) => {
    child.on('message', ({ wrote }: { wrote: { what: string; key: string; value: never } }) => {
      if (wrote.what === 'discard') told.numbers.set(wrote.key, wrote.value);
      if (wrote.what === 'fact') told.facts.push(wrote.key);
      if (wrote.what === 'proposal') told.proposals.push({ id: wrote.key, state: wrote.value });
      if (--left === 0) resolve();
    });
  });
  child.send({ what: 'forever' });
  await enough;
  await sleep(Math.random() * MORE_MS);
  child.kill('SIGKILL');
  await once(child, 'close');
}

describe(`a process that is killed ${KILLS} times while it writes`, () => {
  it('has lost nothing that it was told is on the disk, and left nothing that the next trips over', async () => {
    const told: Told = { numbers: new Map(), facts: [], proposals: [] };
    for (let kill = 0; kill < KILLS; kill++) await lifeOf(`life-${kill}`, told);
    expect(Math.min(told.numbers.size, told.facts.length, told.proposals.length)).toBeGreaterThan(0);

    const locks = await openPathLocks(dataPath);
    const vault = await openVault(root, { docSuffixes: [] });
    const log = openDiscardLog(vault, locks, { logger: silentLogger(), maxBytes: 4000 });
    for (const [id, n] of told.numbers) expect((await log.show(n))?.discard.id).toBe(id);
    const { entries } = await log.list({ limit: 100_000 });
    expect(new Set(entries.map(({ n }) => n)).size).toBe(entries.length);
    // Written again by who recovers: those that are there keep their number, the one that was cut short gets its own.
    const again = await log.append({ id: [...told.numbers.keys()].at(-1) ?? '', kind: 'expired', agent: 'a' });
    expect(again).toBe([...told.numbers.values()].at(-1));
    expect((await log.stats()).damaged).toBeLessThanOrEqual(KILLS);

    const journal = await openJournal(join(dataPath, 'journal.jsonl'));
    await journal.close();
    const lines = readFileSync(join(dataPath, 'journal.jsonl'), 'utf8').split('\n');
    for (const fact of told.facts) expect(lines.some((line) => line.includes(`"content":"${fact} `))).toBe(true);

    const proposals = openProposals(join(dataPath, 'memory.db'), { owner: locks.owner, logger: silentLogger() });
    const ORDER = ['deciding', 'writing', 'done'];
    for (const { id, state } of told.proposals) {
      expect(ORDER.indexOf(proposals.get(id)?.state ?? '')).toBeGreaterThanOrEqual(ORDER.indexOf(state));
    }
    for (const left of proposals.unsettled()) {
      expect(locks.isAlive(left.owner ?? '')).toBe(false);
      expect(left.request).toMatchObject({ title: 'proposed' });
      expect(proposals.takeOver(left)).not.toBeNull();
      proposals.finish(left.id, { status: 'done' });
    }
    expect(proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
    proposals.close();
    locks.close();
  });
});
