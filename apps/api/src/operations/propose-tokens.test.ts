/** What keeps a candidate when its decider, its embedder or its disk fails: the token, the discard log, the record of it. */
import type { ChatModel } from '@vault-mcp/api/memory/ports';
import { AppError } from '@vault-mcp/shared/errors';
import { CallFailure } from '@vault-mcp/shared/remote/json-call';
import type { VaultWriter } from '@vault-mcp/shared/vault/write';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ADA,
  CANDIDATE,
  type GateVault,
  gateVault,
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

const byModel = (chat: ChatModel, input: Partial<Proposal> = {}) =>
  propose({ ...vault.context, chat }, { ...CANDIDATE, ...input }, SCRIBE);

describe('a decider', () => {
  test('that never comes back leaves the candidate in the discard log', async () => {
    const { token } = await vault.shown();
    vault.pass(31 * 60_000);
    const decision = { action: 'create' } as const;
    await expect(vault.propose({ token, decision })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/over\. What you proposed is kept as discard 1/),
    });
    expect(await vault.discards()).toMatchObject([
      { kind: 'expired', candidate: { body: CANDIDATE.body }, seen: [{ path: TARGET }] },
    ]);
    await vault.refused(() => vault.propose({ token, decision }), 'invalid_request', /discard 1/);
  });

  test('that never comes back is noticed by the next proposal of anybody', async () => {
    await vault.shown();
    vault.pass(31 * 60_000);
    await vault.propose({ title: 'Quince', body: 'Quince jelly.' }, { agent: 'other' });
    expect((await vault.discards()).map(({ kind }) => kind)).toEqual(['expired']);
    expect(vault.context.proposals.counts()).toMatchObject({ open: 0, unsettled: 0 });
  });

  test('that is a dead model makes the candidate a note, and says what failed', async () => {
    const failure = new CallFailure('transient', 'http://model:1/v1 cannot be reached (ECONNREFUSED).');
    const answer = await byModel(saying(failure));
    expect(answer).toMatchObject({ action: 'create', path: NEW_PATH, fell_back: 'decider_unreachable' });
    expect(answer).toMatchObject({ remarks: [expect.stringContaining('ECONNREFUSED')] });
  });
});

describe('an embedder that is dead', () => {
  test('leaves words, and the answer says so', async () => {
    const { embedder } = vault.context;
    if (embedder === null) throw new Error('this vault has an embedder');
    const dead = { ...embedder, embedDocuments: () => Promise.reject(new Error('gone')) };
    const answer = await propose({ ...vault.context, embedder: dead }, CANDIDATE, SCRIBE);
    expect(answer).toMatchObject({ status: 'decide', degraded: ['embedder_unavailable'] });
    expect(answer).toMatchObject({ similar: [{ path: TARGET, distance: null, bm25: expect.any(Number) }] });
  });
});

describe('a token', () => {
  const decision: Decision = { action: 'create' };

  test('is said once to stay good, where an update would take the place of what was not shown', async () => {
    const more = 'She also wrote letters to her mother about the engine.';
    vault.put(TARGET, `${ADA}\n${`${more}\n\n`.repeat(200)}`);
    await vault.context.queue.add('sync-path', { path: TARGET, source: 'news' });
    await vault.indexed.settled();
    const body = `${CANDIDATE.body} ${more}`;
    const { token, similar } = await vault.shown({ body });
    expect(similar[0]).toMatchObject({ path: TARGET, truncated: true });
    const update = { action: 'update', target: TARGET, body: 'All of it anew.' } as const;
    const error = await vault.propose({ token, decision: update, body }).catch((thrown: Error) => thrown);
    expect((error as Error).message.split('The token stays good.')).toHaveLength(2);
  });

  test('that is unknown, another agent’s or another candidate’s is good for nothing', async () => {
    const { token } = await vault.shown();
    await vault.refused(() => vault.propose({ token: 'made-up', decision }), 'invalid_request', /unknown/);
    await vault.refused(() => vault.propose({ token, decision }, { agent: 'other' }), 'invalid_request', /unknown/);
    await vault.refused(
      () => vault.propose({ token, decision, body: 'Else.' }),
      'invalid_request',
      /another candidate/,
    );
    expect(await vault.done({ token, decision })).toMatchObject({ path: NEW_PATH });
  });

  test('decides from what its own call was written from, and where that says nothing from what the first was', async () => {
    const sourceAfter = async (title: string, source: string | undefined) => {
      const { token } = await vault.shown({ title });
      const { path } = await vault.done({ title, token, decision }, { agent: SCRIBE.agent, source });
      return /^vault_source: (.*)$/m.exec((await vault.notes())[path ?? ''] ?? '')?.[1];
    };
    expect(await sourceAfter('Second', 'chat 13')).toBe('chat 13');
    expect(await sourceAfter('First', undefined)).toBe('chat 12');
  });

  test('that was used answers again as it did, whatever is decided the second time', async () => {
    const { token } = await vault.shown();
    const answer = await vault.done({ token, decision });
    expect(await vault.done({ token, decision: { action: 'discard' } })).toEqual(answer);
    expect(await vault.discards()).toEqual([]);
  });

  test('is used once by several who send it at once, and all get that answer', async () => {
    const { token } = await vault.shown();
    const answers = await Promise.all([...Array(5)].map(() => vault.done({ token, decision })));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(Object.keys(await vault.notes())).toHaveLength(8);
  });

  test('goes with a decision, and a decision with it', async () => {
    const { token } = await vault.shown();
    await vault.refused(() => vault.propose({ token }), 'invalid_value');
    await vault.refused(() => vault.propose({ decision }), 'invalid_request', /token/);
  });

  test('is not what a server with a model takes', async () => {
    const { token } = await vault.shown();
    await vault.refused(() => byModel(saying(decision), { token, decision }), 'invalid_request', /chat model/);
  });
});

describe('a disk that is full when the note is to be written', () => {
  /** Takes every check and no byte. */
  function full(): MemoryContext {
    const fail = () => Promise.reject(new AppError('insufficient_storage', 'The disk is full.'));
    const without = (writer: VaultWriter): VaultWriter => ({
      ...writer,
      replace: (path, content, options) => (options?.dryRun ? writer.replace(path, content, options) : fail()),
      edit: (path, content, options) => (options?.dryRun ? writer.edit(path, content, options) : fail()),
      holding: (claims, work) => writer.holding(claims, (inner) => work(without(inner))),
    });
    return { ...vault.context, writer: without(vault.context.writer) };
  }

  test('leaves the proposal open under its token', async () => {
    const { token } = await vault.shown();
    for (const decision of [{ action: 'create' }, { action: 'supersede', target: TARGET }] as const) {
      const call = () => propose(full(), { ...CANDIDATE, token, decision }, SCRIBE);
      await vault.refused(call, 'insufficient_storage', /token stays good/);
    }
    expect(await vault.done({ token, decision: { action: 'create' } })).toMatchObject({ path: NEW_PATH });
  });

  test('puts what has no token into the discard log', async () => {
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly sets.' };
    await expect(propose(full(), quince, SCRIBE)).rejects.toMatchObject({
      code: 'insufficient_storage',
      message: /discard 1/,
    });
    await expect(propose({ ...full(), chat: saying({ action: 'create' }) }, CANDIDATE, SCRIBE)).rejects.toMatchObject({
      code: 'insufficient_storage',
      message: /discard 2/,
    });
    expect((await vault.discards()).map(({ kind, candidate }) => [kind, candidate?.body])).toEqual([
      ['unplaceable', quince.body],
      ['unplaceable', CANDIDATE.body],
    ]);
  });

  test('is no answer for good: the same key is tried anew, and answers as that did from then on', async () => {
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly sets.', idempotency_key: 'k' };
    for (const message of [/discard 1/, /discard 2/])
      await expect(propose(full(), quince, SCRIBE)).rejects.toMatchObject({ code: 'insufficient_storage', message });
    const answers = await Promise.all([...Array(4)].map(() => vault.done(quince)));
    expect(answers[0]).toMatchObject({ action: 'create', path: 'Facts/quince.md' });
    for (const answer of [...answers, await vault.done(quince)]) expect(answer).toEqual(answers[0]);
    expect((await vault.discards()).map(({ kind }) => kind)).toEqual(['unplaceable', 'unplaceable']);
  });

  test('and cannot take the discard log either keeps it until it can', async () => {
    const quince = { ...CANDIDATE, title: 'Quince', body: 'Quince jelly sets.' };
    const discards = {
      ...vault.context.discards,
      append: () => Promise.reject(new AppError('insufficient_storage', 'Full.')),
    };
    await vault.refused(() => propose({ ...full(), discards }, quince, SCRIBE), 'insufficient_storage', /kept/);
    expect(vault.context.proposals.counts()).toMatchObject({ unsettled: 1 });
    await vault.propose({ title: 'Other', body: 'Another thing entirely.' });
    expect(vault.context.proposals.counts()).toMatchObject({ unsettled: 0 });
    expect((await vault.discards()).map(({ candidate }) => candidate?.body)).toEqual([quince.body]);
  });
});
