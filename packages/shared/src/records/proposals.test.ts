import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { LATER, proposalSuite, proposed, SEEN, START } from '../../../../test/support/proposal-suite.ts';

const INTENT = { v: 1, action: 'create', steps: [] };
const BY = { agent: 'claude', candidateHash: 'h1' };

const on = proposalSuite();

function damage(id: string): void {
  const db = new Database(on.path);
  db.prepare(`UPDATE proposal SET request = '{"half' WHERE id = ?`).run(id);
  db.close();
}

describe('a proposal', () => {
  it('stands whole from the moment it came, in the hands of who took it', () => {
    const { row, fresh } = on.store.begin(proposed({ source: 'chat 7' }));
    expect(fresh).toBe(true);
    expect(on.open('them').get(row.id)).toEqual({
      ...{ id: row.id, kind: 'propose', state: 'deciding', owner: 'us', agent: 'claude', source: 'chat 7' },
      ...{ candidateHash: 'h1', request: { title: 'Tea', body: 'The cat likes tea.' }, seen: null, token: null },
      ...{ reruns: 0, createdMs: START, expiresMs: null, settledMs: null, idempotencyKey: null },
      ...{ intent: null, answer: null },
    });
  });

  it('goes from hand to hand until it is answered, and then holds only its answer', () => {
    const { id, token } = on.offered();
    expect(on.store.get(id)).toMatchObject({ state: 'open', owner: null, seen: SEEN, expiresMs: LATER });
    expect(on.store.claim(token, BY)).toMatchObject({
      outcome: 'claimed',
      proposal: { state: 'deciding', owner: 'us' },
    });
    on.store.plan(id, INTENT);
    expect(on.store.get(id)).toMatchObject({ state: 'writing', owner: 'us', intent: INTENT });
    on.now += 500;
    on.store.finish(id, { status: 'done', path: 'Facts/tea.md' });
    expect(on.store.get(id)).toMatchObject({
      ...{ state: 'done', owner: null, request: null, seen: null, intent: null, settledMs: START + 500 },
      answer: { status: 'done', path: 'Facts/tea.md' },
    });
  });

  it('may be planned anew while it is written, and be put back when none of it was', () => {
    const { id, token } = on.offered();
    on.store.claim(token, BY);
    on.store.plan(id, INTENT);
    on.store.plan(id, { ...INTENT, action: 'discard' });
    expect(on.store.get(id)?.intent).toMatchObject({ action: 'discard' });
    on.store.release(id);
    expect(on.store.get(id)).toMatchObject({ state: 'open', owner: null, intent: null, token });
    expect(on.store.claim(token, BY).outcome).toBe('claimed');
  });

  it('that nobody was given a token for cannot be put back, since nobody could take it up again', () => {
    const id = on.begun();
    expect(() => on.store.release(id)).toThrow(/not in the hands/);
    expect(on.store.get(id)?.state).toBe('deciding');
  });

  it('is changed by nobody but who has it in hand', () => {
    const id = on.begun();
    const them = on.open('them');
    expect(() => them.offer(id, { seen: [], expiresMs: LATER })).toThrow(/not in the hands/);
    expect(() => them.plan(id, INTENT)).toThrow(/not in the hands/);
    expect(() => them.finish(id, {})).toThrow(/not in the hands/);
    on.store.finish(id, { status: 'done' });
    expect(() => on.store.finish(id, { status: 'again' })).toThrow(/not in the hands/);
    expect(on.store.get(id)?.answer).toEqual({ status: 'done' });
  });
});

describe('a token', () => {
  it('has 24 random bytes and no two are alike', () => {
    const [first, second] = [on.offered().token, on.offered().token];
    expect(first).toMatch(/^[\w-]{32}$/);
    expect(second).not.toBe(first);
  });

  it('is good for its agent and its candidate only', () => {
    const { token, id } = on.offered();
    expect(on.store.claim(token, { ...BY, agent: 'other' })).toEqual({ outcome: 'unknown' });
    expect(on.store.claim(token, { ...BY, candidateHash: 'h2' })).toEqual({ outcome: 'other_candidate' });
    expect(on.store.claim('x'.repeat(32), BY)).toEqual({ outcome: 'unknown' });
    expect(on.store.get(id)?.state).toBe('open');
  });

  it('that two processes send at the same time is had by one', () => {
    const { token } = on.offered();
    const claims = [on.open('one'), on.open('two')].map((proposals) => proposals.claim(token, BY));
    expect(claims).toMatchObject([{ outcome: 'claimed' }, { outcome: 'taken', proposal: { owner: 'one' } }]);
  });

  it('that comes again after the answer gives the same answer', () => {
    const { id, token } = on.offered();
    on.store.claim(token, BY);
    on.store.finish(id, { status: 'done', path: 'a.md' });
    expect(on.store.claim(token, BY)).toMatchObject({ outcome: 'done', answer: { path: 'a.md' } });
    expect(on.store.claim(token, { ...BY, agent: 'other' })).toEqual({ outcome: 'unknown' });
  });

  it('is too late from its last moment on', () => {
    const { token } = on.offered();
    on.now = LATER;
    expect(on.store.claim(token, BY)).toMatchObject({ outcome: 'expired', proposal: { state: 'open' } });
    on.now = LATER - 1;
    expect(on.store.claim(token, BY).outcome).toBe('claimed');
  });

  it('is good for nothing once another one was given, and that is counted', () => {
    const { id, token } = on.offered();
    on.store.claim(token, BY);
    const second = on.store.offer(id, { seen: SEEN, expiresMs: LATER, again: true });
    expect(on.store.claim(token, BY)).toEqual({ outcome: 'unknown' });
    expect(on.store.claim(second, BY)).toMatchObject({ outcome: 'claimed', proposal: { reruns: 1 } });
  });
});

describe('an idempotency key', () => {
  it('that is forgotten is free again once its proposal is answered, and not before', () => {
    const id = on.begun({ idempotencyKey: 'k1' });
    on.store.forgetKey(id);
    expect(on.store.begin(proposed({ idempotencyKey: 'k1' }))).toMatchObject({ fresh: false, row: { id } });
    on.store.finish(id, { discard: 1 });
    on.store.forgetKey(id);
    expect(on.store.begin(proposed({ idempotencyKey: 'k1' })).fresh).toBe(true);
    expect(on.store.get(id)).toMatchObject({ state: 'done', idempotencyKey: null, answer: { discard: 1 } });
  });

  it('gives what stands under it, to the same agent only', () => {
    const { id, token } = on.offered({ idempotencyKey: 'k1' });
    expect(on.store.begin(proposed({ idempotencyKey: 'k1', candidateHash: 'h2' }))).toMatchObject({
      fresh: false,
      row: { id, token, state: 'open', candidateHash: 'h1' },
    });
    expect(on.store.begin(proposed({ idempotencyKey: 'k1', agent: 'other' })).fresh).toBe(true);
    expect(on.store.begin(proposed()).fresh).toBe(true);
    expect(on.store.begin(proposed()).fresh).toBe(true);
  });

  it('gives its answer after a restart', () => {
    const id = on.begun({ idempotencyKey: 'k1' });
    on.store.finish(id, { status: 'done', path: 'a.md' });
    on.store.close();
    expect(on.open('next').begin(proposed({ idempotencyKey: 'k1' }))).toMatchObject({
      fresh: false,
      row: { id, answer: { path: 'a.md' } },
    });
  });

  it('whose owner is dead is taken over with what it stands for, by one of several who try', () => {
    const id = on.begun({ idempotencyKey: 'k1' });
    const [one, two] = [on.open('one'), on.open('two')];
    const { row } = one.begin(proposed({ idempotencyKey: 'k1' }));
    const seenByTwo = two.begin(proposed({ idempotencyKey: 'k1' })).row;
    expect(row).toMatchObject({ id, owner: 'us', state: 'deciding' });
    expect(one.takeOver(row)).toMatchObject({ id, owner: 'one', state: 'deciding', request: { title: 'Tea' } });
    expect(two.takeOver(seenByTwo)).toBeNull();
    expect(() => on.store.finish(id, {})).toThrow(/not in the hands/);
    one.finish(id, { status: 'done' });
  });

  it('whose row cannot be read any more says so, and the row stays', () => {
    const id = on.begun({ idempotencyKey: 'k1' });
    damage(id);
    expect(() => on.store.begin(proposed({ idempotencyKey: 'k1' }))).toThrow(
      /send the candidate again with another key/,
    );
    expect(on.store.counts().damaged).toBe(1);
  });
});

describe('what a crash left', () => {
  it('is told with its owner, and taken over in the state it was left in', () => {
    const planned = on.begun();
    on.store.plan(planned, INTENT);
    const deciding = on.begun();
    on.offered();
    const next = on.open('next');
    expect(next.unsettled().map(({ id, owner }) => [id, owner])).toEqual(
      [planned, deciding].sort().map((id) => [id, 'us']),
    );
    const [stands] = next.unsettled().filter(({ id }) => id === planned);
    expect(next.takeOver(stands as never)).toMatchObject({ owner: 'next', state: 'writing', intent: INTENT });
  });

  it('is taken from nobody who has gone on with it meanwhile', () => {
    const id = on.begun();
    const next = on.open('next');
    const [stale] = next.unsettled();
    on.store.finish(id, { status: 'done' });
    expect(next.takeOver(stale as never)).toBeNull();
    expect(next.takeOver(next.get(id) as never)).toBeNull();
  });
});

describe('open proposals', () => {
  it('whose time is over are told, oldest first, and are taken to be put away by one', () => {
    const first = on.offered();
    on.now += 10;
    const second = on.offered();
    on.now += 10;
    const id = on.begun();
    on.store.offer(id, { seen: [], expiresMs: LATER + 1 });
    expect(on.store.expired(LATER - 1)).toEqual([]);
    const expired = on.store.expired(LATER);
    expect(expired.map((one) => one.id)).toEqual([first.id, second.id]);
    const mine = on.store.takeOver(expired[0] as never);
    expect(mine).toMatchObject({ owner: 'us', state: 'deciding' });
    expect(on.open('them').takeOver(expired[0] as never)).toBeNull();
    on.store.finish(first.id, { status: 'expired', discard: 3 });
    on.now = LATER;
    expect(on.store.claim(first.token, BY)).toMatchObject({ outcome: 'done', answer: { discard: 3 } });
  });

  it('of an agent beyond so many are told, oldest first', () => {
    const ids = [0, 1, 2, 3].map(() => {
      on.now++;
      return on.offered().id;
    });
    on.offered({ agent: 'other' });
    on.begun();
    expect(on.store.surplus('claude', 2).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(on.store.surplus('claude', 4)).toEqual([]);
  });
});

describe('answers', () => {
  it('of the last moments are told, newest first', () => {
    for (const name of ['a', 'b', 'c']) {
      on.now += 1000;
      on.store.finish(on.begun(), { path: name });
    }
    expect(on.store.answersSince(START + 2000)).toEqual([{ path: 'c' }, { path: 'b' }]);
  });

  it('are forgotten after 30 days; what is not answered never is', async () => {
    const old = on.begun();
    on.store.finish(old, { status: 'done' });
    const open30 = on.offered().id;
    on.now += 29 * 86_400_000;
    const recent = on.begun();
    on.store.finish(recent, { status: 'done' });
    on.store.close();
    on.now += 2 * 86_400_000;
    on.store = on.open('next');
    await vi.waitFor(() => expect(on.store.get(old)).toBeNull());
    expect(on.store.get(recent)?.state).toBe('done');
    expect(on.store.get(open30)?.state).toBe('open');
  });
});
