import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBacklog } from './backlog.ts';

/** Looks that end when the test says so. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const lookAt = (path: string) => {
    begun.push(path);
    return new Promise<void>((resolve) => ends.set(path, resolve));
  };
  return {
    begun,
    lookAt,
    /** Ends the look at this path and lets what follows from it happen. */
    async end(path: string) {
      ends.get(path)?.();
      await new Promise(setImmediate);
    },
  };
}

describe('the files that wait to be looked at', () => {
  it('are taken in the order they came, only so many at a time', async () => {
    const { begun, lookAt, end } = held();
    const backlog = createBacklog(2, lookAt);
    for (const path of ['a', 'b', 'c', 'd']) backlog.add(path);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a');
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  it('wait once, however often they come', async () => {
    const { begun, lookAt, end } = held();
    const backlog = createBacklog(1, lookAt);
    for (const path of ['a', 'b', 'b', 'b']) backlog.add(path);
    await end('a');
    await end('b');
    expect(begun).toEqual(['a', 'b']);
  });

  it('are looked at again when they come during their look', async () => {
    const { begun, lookAt, end } = held();
    const backlog = createBacklog(1, lookAt);
    backlog.add('a');
    backlog.add('a');
    backlog.add('a');
    await end('a');
    await end('a');
    expect(begun).toEqual(['a', 'a']);
  });

  it('are never in two places at once', async () => {
    const { begun, lookAt, end } = held();
    const backlog = createBacklog(2, lookAt);
    backlog.add('a');
    backlog.add('a');
    backlog.add('b');
    backlog.add('c');
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c', 'a']);
  });

  it('can be dropped, also those that came during their look, and others taken afterwards', async () => {
    const { begun, lookAt, end } = held();
    const backlog = createBacklog(1, lookAt);
    for (const path of ['a', 'a', 'b', 'c']) backlog.add(path);
    backlog.drop();
    await end('a');
    await backlog.idle();
    expect(begun).toEqual(['a']);
    backlog.add('b');
    expect(begun).toEqual(['a', 'b']);
  });

  it('are done with, also after a rest, when all that came has been looked at', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (rounds, places) => {
          const looked: string[] = [];
          let inHand = 0;
          const backlog = createBacklog(places, async (path) => {
            inHand++;
            expect(inHand).toBeLessThanOrEqual(places);
            await new Promise(setImmediate);
            inHand--;
            looked.push(path);
          });
          for (const round of rounds) {
            looked.length = 0;
            for (const path of round) backlog.add(path);
            await backlog.idle();
            expect(new Set(looked)).toEqual(new Set(round));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are dropped by a stop, which lets those in hand end', async () => {
    const { begun, lookAt, end } = held();
    const backlog = createBacklog(1, lookAt);
    for (const path of ['a', 'b']) backlog.add(path);
    backlog.stop();
    backlog.add('c');
    let idle = false;
    void backlog.idle().then(() => {
      idle = true;
    });
    await new Promise(setImmediate);
    expect(idle).toBe(false);
    await end('a');
    expect(idle).toBe(true);
    expect(begun).toEqual(['a']);
  });
});
