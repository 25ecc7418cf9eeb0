import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { createSurveyTurns, type SurveyTurnsOptions } from './survey-turns.ts';

/** Work that is answered by hand. */
function turnsOf(options: SurveyTurnsOptions<string> = {}) {
  const begun: { readonly question: string; answer(result: unknown): void; fail(error: unknown): void }[] = [];
  const turns = createSurveyTurns<string>(
    (question) =>
      new Promise((resolve, reject) => {
        begun.push({ question, answer: resolve, fail: reject });
      }),
    options,
  );
  const nth = (at: number) => {
    const one = begun[at];
    if (one === undefined) throw new Error(`${at} has not begun`);
    return one;
  };
  return { ...turns, nth, begun: () => begun.map(({ question }) => question) };
}

const refused = { code: 'not_ready', message: expect.stringMatching(/ask again/) };

describe('questions that take turns', () => {
  it('are begun one after the other, also after one that failed', async () => {
    const { ask, nth, begun } = turnsOf();
    const [a, b, c] = [ask('a'), ask('b'), ask('c')];
    expect(begun()).toEqual(['a']);
    nth(0).fail(new Error('out of order'));
    await expect(a).rejects.toThrow('out of order');
    expect(begun()).toEqual(['a', 'b']);
    nth(1).answer(1);
    await expect(b).resolves.toBe(1);
    nth(2).answer(2);
    await expect(c).resolves.toBe(2);
  });

  it('share an answer when they are the same and not begun', async () => {
    const { ask, nth, begun } = turnsOf();
    const first = ask('a');
    const later = [ask('a'), ask('a')];
    nth(0).answer(1);
    await expect(first).resolves.toBe(1);
    nth(1).answer(2);
    await expect(Promise.all(later)).resolves.toEqual([2, 2]);
    expect(begun()).toEqual(['a', 'a']);
  });

  it('advise to ask of one folder only who could', async () => {
    const canBeNarrower = (question: string) => question === 'a';
    const { ask } = turnsOf({ waitMs: 1, canBeNarrower });
    await expect(ask('a')).rejects.toThrow('ask again in a moment, or for one folder (dir).');
    await expect(ask('b')).rejects.toThrow('ask again in a moment.');
  });

  it('keep nobody waiting for long: what has begun goes on, what has not is never begun', async () => {
    const { ask, nth, begun } = turnsOf({ waitMs: 1 });
    const [a, b] = [ask('a'), ask('b')];
    await expect(a).rejects.toMatchObject(refused);
    await expect(b).rejects.toMatchObject(refused);
    const c = ask('c');
    nth(0).answer(1);
    await expect(c).rejects.toMatchObject(refused);
    expect(begun()).toEqual(['a', 'c']);
  });

  it('are waited for no longer than who asks wants to', async () => {
    const { ask, nth } = turnsOf();
    const [patient, hurried] = [ask('a'), ask('a', 1)];
    await expect(hurried).rejects.toMatchObject(refused);
    const shared = ask('a');
    nth(0).answer(1);
    await expect(patient).resolves.toBe(1);
    nth(1).answer(2);
    await expect(shared).resolves.toBe(2);
  });

  it('are no more than may wait, the same counted once', async () => {
    const { ask, nth } = turnsOf({ maxWaiting: 1 });
    const [a, b, again] = [ask('a'), ask('b'), ask('b')];
    await expect(ask('c')).rejects.toMatchObject(refused);
    nth(0).answer(1);
    await a;
    nth(1).answer(2);
    await expect(Promise.all([b, again])).resolves.toEqual([2, 2]);
  });

  it('end when they are told to, those in hand apart', async () => {
    const { ask, nth, end } = turnsOf();
    const [a, b] = [ask('a'), ask('b')];
    const reason = new AppError('not_ready', 'The server is stopping.');
    end(reason);
    await expect(b).rejects.toBe(reason);
    nth(0).answer(1);
    await expect(a).resolves.toBe(1);
  });
});
