import { describe, expect, it } from 'vitest';
import { createPathTurns } from './path-turns.ts';

function gate() {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open: () => open() };
}

describe('work on paths', () => {
  it('takes turns on one path, in order, also after a failure', async () => {
    const inTurn = createPathTurns();
    const seen: string[] = [];
    const first = gate();
    const a = inTurn('x', async () => {
      await first.closed;
      seen.push('first');
      throw new Error('first failed');
    });
    const b = inTurn('x', async () => {
      seen.push('second');
      return 2;
    });
    first.open();
    await expect(a).rejects.toThrow('first failed');
    expect(await b).toBe(2);
    expect(seen).toEqual(['first', 'second']);
  });

  it('does not hold up another path', async () => {
    const inTurn = createPathTurns();
    const blocked = gate();
    const slow = inTurn('x', () => blocked.closed);
    expect(await inTurn('y', async () => 'done')).toBe('done');
    blocked.open();
    await slow;
  });
});
