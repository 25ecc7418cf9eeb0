import { AppError } from '@vault-mcp/shared/errors';
import { describe, expect, it } from 'vitest';
import { fetchTurns } from './fetch-turns.ts';

const NEVER = new AbortController().signal;

/** Work that ends when it is told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
    });
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('turns', () => {
  it('are had by so many at once, and by the others in their order, also after one that failed', async () => {
    const inTurn = fetchTurns({ atOnce: 2, waitMs: 10_000 });
    const { begun, work, end } = works();
    const all = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name), NEVER).catch((error: Error) => error.message));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    end('b', new Error('no b'));
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd']) {
      end(name);
      await settled();
    }
    expect(await Promise.all(all)).toEqual(['a', 'no b', 'c', 'd']);
  });

  it('that do not come in time, or for a call that was ended, are refused, and the work is not begun', async () => {
    const inTurn = fetchTurns({ atOnce: 1, waitMs: 30 });
    const { begun, work, end } = works();
    const first = inTurn(work('first'), NEVER);
    const ended = new AbortController();
    const refused = [inTurn(work('ended'), ended.signal), inTurn(work('late'), NEVER)];
    ended.abort();
    for (const call of await Promise.allSettled(refused)) {
      expect(call).toMatchObject({ reason: expect.any(AppError) });
      expect(call).toMatchObject({ reason: { code: 'locked' } });
    }
    end('first');
    expect(await first).toBe('first');
    const next = inTurn(work('next'), NEVER);
    await settled();
    end('next');
    expect(await next).toBe('next');
    expect(begun).toEqual(['first', 'next']);
  });
});
