/**
 * A proposal that ends at any step, as a process does that is killed there: every effect is met from before and from behind, one
 * after the other, and another process takes up what is left. Danger: a step that is not counted here is not proven; so the count
 * of steps is asserted to be more than none, and what recovery did over all of them to be everything it can do.
 */

import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GateVault, gateVault, type Proposal, SCRIBE, saying } from '../../../../test/support/gate-vault.ts';
import { recoverProposals } from '../memory/gate/recover.ts';
import { openRecords } from '../open-records.ts';
import { gatePorts, type MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

class Killed extends Error {}

let vault: GateVault;
beforeAll(async () => {
  vault = await gateVault();
});
afterAll(() => vault.remove());

interface Process {
  readonly context: MemoryContext;
  end(): void;
}

/** A program of its own over the same vault and data folder. */
async function startProcess(): Promise<Process> {
  const { config, log, vault: files } = vault.context;
  const locks: PathLocks = await openPathLocks(config.data.path);
  const records = await openRecords(config, files, locks, log, () => vault.context.now());
  const writerFor = (view: Vault) => createVaultWriter(view, { locks, noteMaxBytes: config.vault.note_max_bytes });
  return {
    context: { ...vault.context, ...records.parts, locks, writer: writerFor(files), writerFor },
    end() {
      records.close();
      locks.close();
    },
  };
}

/** Ends at the nth effect: an even one before it happens, an odd one right behind it. From then on nothing happens any more. */
function killedAt(context: MemoryContext, nth: number): { readonly context: MemoryContext; steps(): number } {
  let count = 0;
  const step = () => {
    if (count++ >= nth) throw new Killed();
  };
  const effect =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      step();
      const result = call(...args);
      if (result instanceof Promise) return result.finally(step) as R;
      step();
      return result;
    };
  const { proposals, discards } = context;
  const wrap = (writer: MemoryContext['writer']): MemoryContext['writer'] => ({
    ...writer,
    replace: (path, content, options) =>
      options?.dryRun ? writer.replace(path, content, options) : effect(writer.replace)(path, content, options),
    edit: (path, change, options) =>
      options?.dryRun ? writer.edit(path, change, options) : effect(writer.edit)(path, change, options),
    holding: (claims, work) => writer.holding(claims, (inner) => work(wrap(inner))),
  });
  const killed: MemoryContext = {
    ...context,
    writer: wrap(context.writer),
    writerFor: (view) => wrap(context.writerFor(view)),
    discards: {
      ...discards,
      append: effect((entry) => discards.append(entry)),
      list: (page) => discards.list(page),
    } as typeof discards,
    proposals: {
      ...{ begin: effect((row) => proposals.begin(row)), claim: effect((token, by) => proposals.claim(token, by)) },
      ...{
        offer: effect((id, offer) => proposals.offer(id, offer)),
        plan: effect((id, intent) => proposals.plan(id, intent)),
      },
      ...{
        finish: effect((id, answer) => proposals.finish(id, answer)),
        release: effect((id) => proposals.release(id)),
      },
      ...{ takeOver: effect((row) => proposals.takeOver(row)), get: (id) => proposals.get(id) },
      ...{
        unsettled: () => proposals.unsettled(),
        expired: (ms) => proposals.expired(ms),
        counts: () => proposals.counts(),
      },
      ...{ surplus: (agent, keep) => proposals.surplus(agent, keep), answersSince: (ms) => proposals.answersSince(ms) },
      forgetKey: (id) => proposals.forgetKey(id),
      close: () => proposals.close(),
    },
  };
  return { context: killed, steps: () => count };
}

interface Case {
  readonly what: string;
  /** Null: nothing is similar. */
  readonly decision: ((target: string) => NonNullable<Proposal['decision']>) | null;
  readonly by?: 'model';
}

const CASES: readonly Case[] = [
  { what: 'a note to which nothing is similar', decision: null },
  { what: 'a note that supersedes', decision: (target) => ({ action: 'supersede', target }) },
  {
    what: 'a note that supersedes by a model’s word',
    decision: (target) => ({ action: 'supersede', target }),
    by: 'model',
  },
  {
    what: 'an update that replaces',
    decision: (target) => ({ action: 'update', target, body: 'Other words altogether.' }),
  },
  { what: 'an update that adds', decision: (target) => ({ action: 'update', target, append: 'Added words.' }) },
  { what: 'a discard', decision: () => ({ action: 'discard', reason: 'no' }) },
  { what: 'a note of its own', decision: () => ({ action: 'create' }) },
];

const taken = { completed: 0, shelved: 0, opened: 0 };

/** A word that stands nowhere else. */
let words = 0;
const nextWord = () => `q${(words++).toString(36)}z`.repeat(4);

interface Scene {
  readonly candidate: Proposal;
  readonly target: string;
  readonly old: string;
}

async function setScene(isAlone: boolean): Promise<Scene> {
  const [word, own] = [nextWord(), nextWord()];
  const target = `Old/${word}.md`;
  const old = `---\ntitle: Of ${word}\n---\nOnce there was ${word} and ${word} ${own}, and nothing but ${word} was there.\n`;
  if (!isAlone) {
    vault.put(target, old);
    await vault.context.queue.add('sync-path', { path: target, source: 'news' });
    await vault.indexed.settled();
  }
  const alone = [...Array(12)].map(nextWord).join(' ');
  const body = isAlone
    ? alone
    : `Once there was ${word} and ${word} ${own}, and nothing but ${word} was there: id ${own}.`;
  return { candidate: { title: isAlone ? word : `About ${word}`, type: 'fact', namespace: 'New', body }, target, old };
}

async function call(context: MemoryContext, { candidate, target }: Scene, { decision, by }: Case): Promise<void> {
  if (by === 'model') {
    await propose({ ...context, chat: saying(decision?.(target)) }, candidate, SCRIBE);
    return;
  }
  const answer = await propose(context, candidate, SCRIBE);
  if (decision === null) {
    if (answer.status !== 'done') throw new Error(`something was shown: ${JSON.stringify(answer)}`);
    return;
  }
  if (answer.status !== 'decide') throw new Error(`nothing was shown: ${JSON.stringify(answer)}`);
  await propose(context, { ...candidate, token: answer.token, decision: decision(target) }, SCRIBE);
}

/** The promise, whatever was done of it. */
async function expectNothingLost(
  context: MemoryContext,
  { candidate, target, old }: Scene,
  isRecorded: boolean,
): Promise<void> {
  const notes = await vault.notes();
  const discarded = JSON.stringify(await vault.discards());
  const { open, unsettled, damaged } = context.proposals.counts();
  expect({ unsettled, damaged }).toEqual({ unsettled: 0, damaged: 0 });
  const holders = Object.values(notes).filter((text) => text.includes(candidate.body));
  const isDiscarded = discarded.includes(candidate.body);
  if (isRecorded) expect(holders.length > 0 || isDiscarded || open === 1).toBe(true);
  expect(holders.length).toBeLessThanOrEqual(1);
  const prose = old.slice(old.lastIndexOf('---\n') + 4).trim();
  const replaced = (await vault.discards()).map(({ note }) => note?.text ?? '').join('\n');
  if (notes[target] !== undefined) expect(notes[target]?.includes(prose) || replaced.includes(prose)).toBe(true);
  for (const [path, text] of Object.entries(notes)) {
    const { data, error } = parseFrontmatter(text);
    expect(error).toBeUndefined();
    for (const mark of (data.supersedes ?? []) as string[]) {
      expect(parseFrontmatter(notes[pathOf(mark)] ?? '').data.superseded_by).toBe(`[[${path.slice(0, -3)}]]`);
    }
    if (typeof data.superseded_by === 'string') {
      expect(parseFrontmatter(notes[pathOf(data.superseded_by)] ?? '').data.supersedes).toContain(
        `[[${path.slice(0, -3)}]]`,
      );
    }
  }
}

const pathOf = (mark: string) => `${mark.slice(2, -2)}.md`;

describe.each(CASES)('$what', (one) => {
  test('is lost at no step that its process may end at', async () => {
    let steps = 0;
    for (let nth = 0; ; nth++) {
      const scene = await setScene(one.decision === null);
      const first = await startProcess();
      const killed = killedAt(first.context, nth);
      const outcome = await call(killed.context, scene, one).then(
        () => 'done',
        (error: unknown) => error,
      );
      const isRecorded = nth > 0;
      first.end();
      if (outcome === 'done') {
        steps = nth;
        break;
      }
      const second = await startProcess();
      try {
        const recovery = await recoverProposals(gatePorts(second.context, { agent: 'operator' }));
        expect(recovery.failed).toBe(0);
        taken.completed += recovery.completed;
        taken.shelved += recovery.shelved;
        taken.opened += second.context.proposals.counts().open;
        await expectNothingLost(second.context, scene, isRecorded);
        const everything = await vault.everything();
        const again = await recoverProposals(gatePorts(second.context, { agent: 'operator' }));
        expect(again).toMatchObject({ completed: 0, shelved: 0, failed: 0 });
        expect(await vault.everything()).toEqual(everything);
        // What is open would be shown again, and counted.
        vault.pass(60 * 60_000);
        await recoverProposals(gatePorts(second.context, { agent: 'operator' }));
        await expectNothingLost(second.context, scene, isRecorded);
      } finally {
        second.end();
      }
    }
    expect(steps).toBeGreaterThan(5);
  });
});

test('recovery has met everything that it can meet', () => {
  expect(taken.completed).toBeGreaterThan(0);
  expect(taken.shelved).toBeGreaterThan(0);
  expect(taken.opened).toBeGreaterThan(0);
});
