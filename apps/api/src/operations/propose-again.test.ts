/** Proposals that are sent twice, and those that only ask what would be. */
import { createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADA, CANDIDATE, type GateVault, gateVault, SCRIBE, saying } from '../../../../test/support/gate-vault.ts';
import { candidateHash, parseCandidate } from '../memory/gate/candidate.ts';
import { propose, proposeInput } from './propose.ts';

const TARGET = 'Facts/ada.md';
const NEW_PATH = 'Facts/ada-lovelace-wrote-the-first-program.md';
const QUINCE = { title: 'Quince', body: 'Quince jelly sets with pectin.', idempotency_key: 'k-1' };

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

describe('an idempotency key', () => {
  test('that comes again answers as at first, and nothing is done twice', async () => {
    const answer = await vault.done(QUINCE);
    expect(await vault.done(QUINCE)).toEqual(answer);
    expect(Object.keys(await vault.notes()).filter((path) => path.includes('quince'))).toEqual(['Facts/quince.md']);
  });

  test('that comes again while nobody has decided shows the same notes under the same token', async () => {
    const shown = await vault.shown({ idempotency_key: 'k' });
    expect(await vault.shown({ idempotency_key: 'k' })).toEqual(shown);
    const answer = await vault.done({ token: shown.token, decision: { action: 'create' } });
    expect(await vault.done({ idempotency_key: 'k' })).toEqual(answer);
  });

  test('that comes again shows no note that the agent may not read any more', async () => {
    vault.put('Other/twin.md', ADA);
    await vault.context.queue.add('sync-path', { path: 'Other/twin.md', source: 'news' });
    await vault.indexed.settled();
    const { similar, token } = await vault.shown({ idempotency_key: 'k' });
    expect(similar.map(({ path }) => path).sort()).toEqual([TARGET, 'Other/twin.md']);
    const access = createAccess([
      { prefix: '', read: true, write: true },
      { prefix: 'Other', read: false, write: false },
    ]);
    const view = viewOf(vault.context.vault, access);
    const less = { ...vault.context, vault: view, writer: vault.context.writerFor(view) };
    const again = await propose(less, { ...CANDIDATE, idempotency_key: 'k' }, SCRIBE);
    expect(again).toMatchObject({ status: 'decide', token, similar: [{ path: TARGET }] });
  });

  test('of what a crash cut short before anybody had decided is tried anew', async () => {
    const { idempotency_key: idempotencyKey, ...quince } = QUINCE;
    const candidate = parseCandidate({ ...CANDIDATE, ...quince }, { timestampKey: 'timestamp' });
    const left = { kind: 'propose', agent: SCRIBE.agent, request: candidate, idempotencyKey } as const;
    vault.context.proposals.begin({ ...left, candidateHash: candidateHash(candidate) });
    expect(await vault.done(QUINCE)).toMatchObject({ action: 'create', path: 'Facts/quince.md' });
    expect((await vault.discards()).map(({ kind }) => kind)).toEqual(['interrupted']);
  });

  test('that comes several times at once is one proposal', async () => {
    const answers = await Promise.all([...Array(6)].map(() => vault.done(QUINCE)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(Object.keys(await vault.notes()).filter((path) => path.includes('quince'))).toHaveLength(1);
  });

  test('is the agent’s own, and stands for one candidate', async () => {
    await vault.done(QUINCE);
    await vault.refused(() => vault.propose({ ...QUINCE, body: 'Else.' }), 'invalid_request', /another candidate/);
    const other = await vault.propose(
      { ...QUINCE, title: 'Another agent’s', body: 'Medlars blet.' },
      { agent: 'other' },
    );
    expect(other).toMatchObject({ status: 'done', action: 'create' });
  });

  test('of what nobody decided in time says where it is kept', async () => {
    await vault.shown({ idempotency_key: 'k' });
    vault.pass(31 * 60_000);
    await expect(vault.propose({ idempotency_key: 'k' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('discard 1'),
    });
  });

  test('is 1 to 128 printable characters', () => {
    for (const [key, isGood] of [
      ['', false],
      ['x'.repeat(129), false],
      ['a\nb', false],
      ['ä', false],
      ['a b~', true],
    ] as const) {
      expect(proposeInput.safeParse({ ...CANDIDATE, idempotency_key: key }).success).toBe(isGood);
    }
  });
});

describe('a dry run', () => {
  const changesNothing = async (input: Parameters<GateVault['propose']>[0]) => {
    const before = await vault.everything();
    const answer = await vault.propose({ ...input, dry_run: true });
    expect(await vault.everything()).toEqual(before);
    expect(vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
    if (answer.status !== 'dry_run') throw new Error('it was no dry run');
    return answer;
  };

  test('shows what is similar, and the path that a note would get', async () => {
    const answer = await changesNothing({});
    expect(answer).toMatchObject({ action: null, path: NEW_PATH, fell_back: null, diffs: [] });
    expect(answer.similar.map(({ path }) => path)).toEqual([TARGET]);
  });

  test('of what is like nothing shows the note that would be made', async () => {
    const answer = await changesNothing({ title: QUINCE.title, body: QUINCE.body });
    expect(answer).toMatchObject({ action: 'create', path: 'Facts/quince.md', diffs: [{ path: 'Facts/quince.md' }] });
    expect(answer.diffs[0]?.diff).toContain('+Quince jelly sets with pectin.');
  });

  test('with a decision shows what would change in each note, rails and all', async () => {
    const superseding = await changesNothing({ decision: { action: 'supersede', target: TARGET } });
    expect(superseding).toMatchObject({ action: 'supersede', path: NEW_PATH, superseded: TARGET });
    expect(superseding.diffs.map(({ path }) => path)).toEqual([NEW_PATH, TARGET]);
    expect(superseding.diffs[1]?.diff).toContain('+superseded_by: "[[Facts/ada-lovelace');
    const unknown = await changesNothing({ decision: { action: 'supersede', target: 'Other/bread.md' } });
    expect(unknown).toMatchObject({ action: 'create', fell_back: 'unknown_target', diffs: [{ path: NEW_PATH }] });
    expect(await changesNothing({ decision: { action: 'discard' } })).toMatchObject({ action: 'discard', diffs: [] });
    const updating = await changesNothing({ decision: { action: 'update', target: TARGET, append: 'In 1843.' } });
    expect(updating.diffs[0]?.diff).toContain('+In 1843.');
  });

  test('asks no model', async () => {
    const chat = saying({ action: 'discard' });
    const answer = await propose({ ...vault.context, chat }, { ...CANDIDATE, dry_run: true }, SCRIBE);
    expect(answer).toMatchObject({ status: 'dry_run', action: null });
    expect(chat.asked).toBe(0);
    expect((await vault.notes())[TARGET]).toBe(ADA);
  });

  test('refuses what would be refused', async () => {
    await vault.refused(() => vault.propose({ dry_run: true, namespace: '.git' }), 'invalid_path');
    const decision = { action: 'update', target: TARGET, section: 'Nowhere', append: 'x' } as const;
    await vault.refused(() => vault.propose({ dry_run: true, decision }), 'no_such_heading');
  });
});
