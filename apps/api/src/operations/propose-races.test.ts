/** What other programs change in the very moment that the gate writes, and what is left to be done when they have. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@vault-mcp/shared/errors';
import { createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ADA,
  CANDIDATE,
  type GateVault,
  gateVault,
  type Proposal,
  SCRIBE,
} from '../../../../test/support/gate-vault.ts';
import { recoverProposals, shelveSurplus } from '../memory/gate/recover.ts';
import { gatePorts, type MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

type Decision = NonNullable<Proposal['decision']>;

const TARGET = 'Facts/ada.md';
const NEW_PATH = 'Facts/ada-lovelace-wrote-the-first-program.md';
const SUPERSEDE: Decision = { action: 'supersede', target: TARGET };

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

/** Under the locks: something happens right before a write, or instead of it, or behind it. */
function meeting(
  before: { replace?: () => void; edit?: () => void },
  context = vault.context,
  after = () => {},
): MemoryContext {
  const within = (writer: VaultWriter): VaultWriter => ({
    ...writer,
    async replace(path, content, options) {
      if (!options?.dryRun) before.replace?.();
      const written = await writer.replace(path, content, options);
      if (!options?.dryRun) after();
      return written;
    },
    async edit(path, change, options) {
      if (!options?.dryRun) before.edit?.();
      const written = await writer.edit(path, change, options);
      if (!options?.dryRun) after();
      return written;
    },
    holding: (claims, work) => writer.holding(claims, (inner) => work(within(inner))),
  });
  return { ...context, writer: within(context.writer) };
}

async function decide(context: MemoryContext, decision: Decision) {
  const { token } = await vault.shown();
  const answer = await propose(context, { ...CANDIDATE, token, decision }, SCRIBE);
  if (answer.status !== 'done') throw new Error(`it is not done: ${JSON.stringify(answer)}`);
  return answer;
}

const once = (work: () => void) => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};

describe('a note to be superseded', () => {
  test.each([
    ['changed', () => vault.put(TARGET, `${ADA}\nBy a person.\n`)],
    ['taken away', () => rmSync(join(vault.context.vault.root, TARGET))],
  ])('that is %s between the new note and its mark is not half superseded', async (_how, change) => {
    const answer = await decide(meeting({ edit: once(change) }), SUPERSEDE);
    expect(answer).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: null, unmarked: [{ path: TARGET }] });
    expect(answer.superseded).toBeUndefined();
    const notes = await vault.notes();
    expect(notes[NEW_PATH]).toContain(CANDIDATE.body);
    expect(Object.values(notes).join()).not.toContain('supersed');
    expect(vault.context.proposals.counts()).toMatchObject({ open: 0, unsettled: 0 });
  });

  test('and is changed meanwhile leaves no half pair to an agent that may only add where its notes go', async () => {
    const rules = [
      { prefix: '', read: true },
      { prefix: 'Facts', write: true },
      { prefix: 'Inbox', write: 'append' },
    ] as const;
    const view = viewOf(vault.context.vault, createAccess(rules));
    const change = once(() => vault.put(TARGET, `${ADA}\nBy a person.\n`));
    const racing = meeting({ edit: change }, { ...vault.context, vault: view, writer: vault.context.writerFor(view) });
    const inbox = { ...CANDIDATE, namespace: 'Inbox' };
    const shown = await propose(racing, inbox, SCRIBE);
    const token = 'token' in shown ? shown.token : '';
    const answer = await propose(racing, { ...inbox, token, decision: SUPERSEDE }, SCRIBE);
    expect(answer).toMatchObject({ action: 'create', unmarked: [{ path: TARGET }] });
    expect(Object.values(await vault.notes()).join()).not.toContain('supersed');
    expect(vault.context.proposals.counts()).toMatchObject({ open: 0, unsettled: 0 });
  });

  test('is completed by the next proposal when the disk was full for its mark', async () => {
    const full = () => {
      throw new AppError('insufficient_storage', 'The disk is full.');
    };
    const { token } = await vault.shown();
    const call = propose(meeting({ edit: full }), { ...CANDIDATE, token, decision: SUPERSEDE }, SCRIBE);
    await expect(call).rejects.toMatchObject({ code: 'insufficient_storage', message: /completed by the next call/ });
    await vault.propose({ title: 'Quince', body: 'Quince jelly.' }, { agent: 'other' });
    const notes = await vault.notes();
    expect(notes[NEW_PATH]).toContain('supersedes:\n  - "[[Facts/ada]]"\nvault_agent: scribe');
    expect(notes[TARGET]).toContain('superseded_by: "[[Facts/ada-lovelace-wrote-the-first-program]]"');
    expect(await vault.done({ token, decision: SUPERSEDE })).toMatchObject({ action: 'supersede', path: NEW_PATH });
  });

  test('whose successor a person went on writing in before the end was recorded has one successor', async () => {
    const { token } = await vault.shown();
    const { proposals } = vault.context;
    const cut = new Proxy(proposals, {
      get(target, name) {
        if (name === 'finish') throw new Error('cut short');
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const call = propose({ ...vault.context, proposals: cut }, { ...CANDIDATE, token, decision: SUPERSEDE }, SCRIBE);
    await expect(call).rejects.toThrow('cut short');
    const written = (await vault.notes())[NEW_PATH] ?? '';
    vault.put(NEW_PATH, `${written}\nAnd a person's words.\n`);
    expect(await recoverProposals(gatePorts(vault.context, SCRIBE))).toMatchObject({ completed: 1, failed: 0 });
    const notes = await vault.notes();
    expect(Object.keys(notes).filter((path) => path.startsWith('Facts/ada-lovelace'))).toEqual([NEW_PATH]);
    expect(notes[NEW_PATH]).toContain("person's words");
  });
});

describe('a note to be updated', () => {
  test('that is changed in the last moment keeps the change, and the candidate is a note', async () => {
    const changed = `${ADA}\nBy a person.\n`;
    const context = meeting({ edit: once(() => vault.put(TARGET, changed)) });
    const answer = await decide(context, { action: 'update', target: TARGET, body: 'x' });
    expect(answer).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: 'target_changed' });
    const notes = await vault.notes();
    expect(notes[TARGET]).toBe(changed);
    expect(notes[NEW_PATH]).toContain(CANDIDATE.body);
  });
});

describe('a name', () => {
  test('that another program takes in the last moment stays its own, and the next one is used', async () => {
    const context = meeting({ replace: once(() => vault.put(NEW_PATH, 'A person’s.')) });
    const answer = await decide(context, SUPERSEDE);
    expect(answer).toMatchObject({ action: 'supersede', path: NEW_PATH.replace('.md', '-2.md'), superseded: TARGET });
    const notes = await vault.notes();
    expect(notes[NEW_PATH]).toBe('A person’s.');
    expect(notes[TARGET]).toContain('superseded_by: "[[Facts/ada-lovelace-wrote-the-first-program-2]]"');
  });
});

describe('a disk that fails behind a write', () => {
  const failing = () => {
    const fail = once(() => {
      throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
    });
    return meeting({}, vault.context, fail);
  };

  test.each([
    ['update', { action: 'update', target: TARGET, append: 'In 1843.' }, 'In 1843.'],
    ['supersede', SUPERSEDE, 'superseded_by'],
  ] as const)('leaves it to the next call to end the %s, which is done once', async (action, decision, words) => {
    const { token } = await vault.shown();
    await expect(propose(failing(), { ...CANDIDATE, token, decision }, SCRIBE)).rejects.toThrow('EIO');
    expect(vault.context.proposals.counts()).toMatchObject({ open: 0, unsettled: 1 });
    const answer = await vault.done({ token, decision });
    expect(answer).toMatchObject({ action, fell_back: null, path: action === 'update' ? TARGET : NEW_PATH });
    expect((await vault.notes())[TARGET]?.split(words)).toHaveLength(2);
  });

  test('leaves no copy in the discard log of what is a note', async () => {
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly sets.', idempotency_key: 'k' };
    await expect(propose(failing(), quince, SCRIBE)).rejects.toThrow('EIO');
    expect(await vault.done(quince)).toMatchObject({ action: 'create', path: 'Facts/quince.md' });
    expect(await vault.discards()).toEqual([]);
  });
});

describe('an agent', () => {
  test('that leaves more undecided than it may finds the oldest in the discard log', async () => {
    for (const n of [1, 2, 3]) {
      vault.pass(1);
      await vault.shown({ title: `Number ${n}` });
    }
    await shelveSurplus(gatePorts(vault.context, SCRIBE), 'scribe', 1);
    expect((await vault.discards()).map(({ kind, candidate }) => [kind, candidate?.title])).toEqual([
      ['expired', 'Number 1'],
      ['expired', 'Number 2'],
    ]);
    expect(vault.context.proposals.counts()).toMatchObject({ open: 1 });
  });
});

describe('what cannot be completed', () => {
  test('is tried by a start, and passed over for a while by calls that somebody waits for', async () => {
    let tries = 0;
    const full = () => {
      tries++;
      throw new AppError('insufficient_storage', 'The disk is full.');
    };
    const { token } = await vault.shown();
    const context = meeting({ edit: full });
    await expect(propose(context, { ...CANDIDATE, token, decision: SUPERSEDE }, SCRIBE)).rejects.toThrow(AppError);
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly.' };
    await propose(context, quince, SCRIBE);
    await propose(context, { ...quince, title: 'Medlar', body: 'Medlars blet.' }, SCRIBE);
    expect(tries).toBe(2);
    expect(await recoverProposals(gatePorts(context, SCRIBE))).toMatchObject({ completed: 0, failed: 1 });
    expect(tries).toBe(3);
    vault.pass(61_000);
    await propose(context, { ...quince, title: 'Sloe', body: 'Sloes want frost.' }, SCRIBE);
    expect(tries).toBe(4);
    expect(await recoverProposals(gatePorts(vault.context, SCRIBE))).toMatchObject({ completed: 1, failed: 0 });
    expect((await vault.notes())[TARGET]).toContain('superseded_by');
  });
});
