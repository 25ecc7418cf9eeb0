/** Everything that keeps a decision from being carried out as it was made, for both deciders: the table of the design. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatModel } from '@vault-mcp/api/memory/ports';
import { createAccess } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ADA,
  CANDIDATE,
  type GateVault,
  gateVault,
  OTHERS,
  type Proposal,
  SCRIBE,
  saying,
} from '../../../../test/support/gate-vault.ts';
import type { MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

type Decision = NonNullable<Proposal['decision']>;

const TARGET = 'Facts/ada.md';
const NEW_PATH = 'Facts/ada-lovelace-wrote-the-first-program.md';

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

const byModel = (chat: ChatModel, input: Partial<Proposal> = {}, context: Partial<MemoryContext> = {}) =>
  propose({ ...vault.context, chat, ...context }, { ...CANDIDATE, ...input }, SCRIBE);

async function byAgent(decision: Decision, input: Partial<Proposal> = {}) {
  const { token } = await vault.shown(input);
  return vault.propose({ ...input, token, decision });
}

/** The token is still good for this after it was refused. */
async function refusedAndThenGood(decision: Decision, code: string): Promise<void> {
  const { token } = await vault.shown();
  await vault.refused(() => vault.propose({ token, decision }), code);
  expect(await vault.done({ token, decision: { action: 'create' } })).toMatchObject({
    action: 'create',
    path: NEW_PATH,
  });
}

describe('nothing similar', () => {
  test('is a note, and the model is not asked', async () => {
    const chat = saying({ action: 'discard' });
    const answer = await byModel(chat, { title: 'Quince', body: 'Quince jelly sets.' });
    expect(answer).toMatchObject({ action: 'create', fell_back: null });
    expect(chat.asked).toBe(0);
  });
});

describe('a decision that is none', () => {
  test.each<Decision>([
    { action: 'update', target: TARGET, body: 'x', append: 'y' },
    { action: 'create', body: 'x' },
    { action: 'discard', section: 'x' },
    { action: 'supersede' },
  ])('%j is the agent’s to say again', (decision) => refusedAndThenGood(decision, 'invalid_value'));

  test('is asked of a model once more, and then the candidate is a note', async () => {
    const chat = saying('I would rather not.', { action: 'merge' });
    expect(await byModel(chat)).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: 'decider_malformed' });
    expect(chat.asked).toBe(2);
  });
});

describe('an update that does not say what is to stand there', () => {
  test('is the agent’s to say', () => refusedAndThenGood({ action: 'update', target: TARGET }, 'invalid_value'));

  test('by a model leaves the old text alone', async () => {
    const answer = await byModel(saying({ action: 'update', target: TARGET }));
    expect(answer).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: 'would_lose_text' });
    expect((await vault.notes())[TARGET]).toBe(ADA);
  });

  test.each<Decision>([
    { action: 'update', target: TARGET, body: '' },
    { action: 'update', target: TARGET, body: ' \n\t' },
    { action: 'update', target: TARGET, append: ' \n' },
  ])('but for nothing wipes none: %j', async (decision) => {
    await refusedAndThenGood(decision, 'invalid_value');
    vault.put(NEW_PATH, 'Something else.\n');
    expect(await byModel(saying(decision))).toMatchObject({ action: 'create', fell_back: 'would_lose_text' });
    expect((await vault.notes())[TARGET]).toBe(ADA);
  });

  test('by an agent that saw the beginning only is refused, but for a section or what is added', async () => {
    const long = `${ADA}\n## Dates\n\n1815\n\n## Works\n\n${'And she knew mathematics well. '.repeat(300)}`;
    vault.put(TARGET, long);
    const { token } = await vault.shown();
    const decision = { action: 'update', target: TARGET, body: 'Short.' } as const;
    await vault.refused(() => vault.propose({ token, decision }), 'invalid_value', /only a part.*vault_read/);
    const answer = await vault.done({ token, decision: { ...decision, section: 'Dates' } });
    expect(answer).toMatchObject({ action: 'update', fell_back: null });
    expect((await vault.notes())[TARGET]).toContain('## Dates\n\nShort.\n\n## Works\n\nAnd she knew');
    const added = await vault.shown({ title: 'Once more' });
    const append = {
      title: 'Once more',
      token: added.token,
      decision: { ...decision, body: undefined, append: 'In 1843.' },
    };
    expect(await vault.done(append)).toMatchObject({ action: 'update', path: TARGET });
  });

  test('by a model that saw the beginning only leaves the rest alone', async () => {
    const long = `${ADA}\n${'And she knew mathematics well. '.repeat(300)}`;
    vault.put(TARGET, long);
    const answer = await byModel(saying({ action: 'update', target: TARGET, body: 'Short.' }));
    expect(answer).toMatchObject({ action: 'create', fell_back: 'would_lose_text' });
    expect((await vault.notes())[TARGET]).toBe(long);
  });

  test('of a note without any prose takes the candidate’s own', async () => {
    const title = 'Ada Lovelace wrote the first program for the analytical engine of Charles Babbage in 1843';
    vault.put('Facts/empty.md', `---\ntype: fact\ntitle: ${title}\n---\n`);
    const { token, similar } = await vault.shown();
    expect(similar.map(({ path }) => path)).toContain('Facts/empty.md');
    const answer = await vault.done({ token, decision: { action: 'update', target: 'Facts/empty.md' } });
    expect(answer).toMatchObject({ action: 'update', path: 'Facts/empty.md' });
    expect((await vault.notes())['Facts/empty.md']).toContain(`---\n\n${CANDIDATE.body}`);
  });
});

describe('a target that was not shown', () => {
  const decision: Decision = { action: 'update', target: 'Other/bread.md', body: 'x' };

  test.each([
    ['agent', () => byAgent(decision)],
    ['model', () => byModel(saying(decision))],
  ])('by the %s is not touched: the candidate is a note', async (_who, decide) => {
    expect(await decide()).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: 'unknown_target' });
    expect((await vault.notes())['Other/bread.md']).toBe(OTHERS['Other/bread.md']);
  });
});

describe('a target that may not be changed', () => {
  const decisions: Decision[] = [
    { action: 'update', target: TARGET, body: 'x' },
    { action: 'supersede', target: TARGET },
  ];

  /** Rights by which the target may be read, and new notes be made beside. */
  function seenWith(write: false | 'append'): MemoryContext {
    const rules = [
      { prefix: '', read: true },
      { prefix: 'Facts', write: true },
      { prefix: TARGET, write },
    ];
    const view = viewOf(vault.context.vault, createAccess(rules));
    return { ...vault.context, vault: view, writer: vault.context.writerFor(view) };
  }

  async function fallsBack(context: MemoryContext, input: Proposal, request = SCRIBE): Promise<void> {
    for (const [i, decision] of decisions.entries()) {
      const titled = { ...input, title: `${input.title} ${i}` };
      const shown = await propose(context, titled, request);
      if (shown.status !== 'decide') throw new Error('nothing was shown');
      expect(shown.similar.find(({ path }) => path === decision.target)?.read_only).toBe(true);
      const answer = await propose(context, { ...titled, token: shown.token, decision }, request);
      expect(answer).toMatchObject({ action: 'create', fell_back: 'read_only_target' });
      const model = { ...context, chat: saying(decision) };
      const asked = await propose(model, { ...titled, title: `${titled.title} by a model` }, request);
      expect(asked).toMatchObject({ action: 'create', fell_back: 'read_only_target' });
    }
    expect((await vault.notes())[TARGET]).toBe(ADA);
  }

  test('by the policy', () => fallsBack(seenWith(false), CANDIDATE));

  test('by the policy, but may be added to', async () => {
    const context = seenWith('append');
    const shown = await propose(context, CANDIDATE, SCRIBE);
    if (shown.status !== 'decide') throw new Error('nothing was shown');
    const added = { action: 'update', target: TARGET, append: 'In 1843.' } as const;
    const answer = await propose(context, { ...CANDIDATE, token: shown.token, decision: added }, SCRIBE);
    expect(answer).toMatchObject({ action: 'update', path: TARGET, fell_back: null });
    const text = (await vault.notes())[TARGET] ?? '';
    expect(text).toContain('Babbage.\n\nIn 1843.\n');
    // Who wrote it would be a change of the block.
    expect(text).not.toContain('vault_agent');
  });

  test('by the policy that only lets add falls back for all else', () => fallsBack(seenWith('append'), CANDIDATE));

  test('by the request’s scope', () =>
    fallsBack(vault.context, { ...CANDIDATE, namespace: 'Facts/New' }, { ...SCRIBE, scope: 'Facts/New' as VaultPath }));

  test('since it is a page of the wiki', async () => {
    const { config } = vault.context;
    await fallsBack(
      { ...vault.context, config: { ...config, wiki: { ...config.wiki, dir: 'Facts' } } },
      { ...CANDIDATE, namespace: 'New' },
    );
  });

  test.skipIf(process.getuid?.() === 0)('by its file mode', async () => {
    chmodSync(join(vault.context.vault.root, TARGET), 0o444);
    await fallsBack(vault.context, CANDIDATE);
  });
});

describe('a section that is not there', () => {
  const decision: Decision = { action: 'update', target: TARGET, section: 'Dates', append: 'x' };

  test('is the agent’s to name', () => refusedAndThenGood(decision, 'no_such_heading'));

  test('by a model makes the candidate a note', async () => {
    expect(await byModel(saying(decision))).toMatchObject({ action: 'create', fell_back: 'unknown_target' });
    expect((await vault.notes())[TARGET]).toBe(ADA);
  });
});

describe.each([
  ['changed', () => vault.put(TARGET, ADA.replace('Babbage', 'C. Babbage'))],
  ['gone', () => rmSync(join(vault.context.vault.root, TARGET))],
])('a target that is %s since it was shown', (what, change) => {
  const decision: Decision = { action: 'supersede', target: TARGET };

  test('is shown anew once, and the old token is dead; then the candidate is a note', async () => {
    vault.put('Facts/ada-too.md', ADA.replace('Ada Lovelace wrote', 'The Countess of Lovelace wrote'));
    const first = await vault.shown();
    change();
    const second = await vault.shown({ token: first.token, decision });
    expect(second.token).not.toBe(first.token);
    await vault.refused(() => vault.propose({ token: first.token, decision }), 'invalid_request', /unknown/);
    const target = second.similar[0]?.path ?? '';
    vault.put(target, `${ADA}\nChanged again.\n`);
    const answer = await vault.done({ token: second.token, decision: { ...decision, target } });
    expect(answer).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: 'target_changed' });
    expect(Object.values(await vault.notes()).join()).not.toContain('supersed');
  });

  test('is decided anew by the model once, and then the candidate is a note', async () => {
    vault.put('Facts/ada-too.md', ADA.replace('Ada Lovelace wrote', 'The Countess of Lovelace wrote'));
    let changes = 0;
    const chat = saying(decision, { ...decision, target: 'Facts/ada-too.md' });
    const changing: ChatModel = {
      ...chat,
      ask: async (...question) => {
        if (changes++ === 0) change();
        else vault.put('Facts/ada-too.md', `${ADA}\nChanged again.\n`);
        return chat.ask(...question);
      },
    };
    expect(await byModel(changing)).toMatchObject({ action: 'create', fell_back: 'target_changed' });
    expect(changes).toBe(2);
    expect(what === 'gone').toBe((await vault.notes())[TARGET] === undefined);
  });
});

describe('a target whose block cannot be read', () => {
  const broken = `---\ntitle: [Ada\n---\n${ADA.slice(ADA.indexOf('Ada Lovelace wrote'))}`;
  const decision: Decision = { action: 'supersede', target: TARGET };

  test.each([
    ['agent', () => byAgent(decision)],
    ['model', () => byModel(saying(decision))],
  ])('is not superseded by the %s’s word, and it is said why', async (_who, decide) => {
    vault.put(TARGET, broken);
    const answer = await decide();
    expect(answer).toMatchObject({
      action: 'create',
      fell_back: null,
      unmarked: [{ path: TARGET, reason: /cannot be read/ }],
    });
    const notes = await vault.notes();
    expect(notes[TARGET]).toBe(broken);
    expect(notes[NEW_PATH]).not.toContain('supersedes');
  });
});
