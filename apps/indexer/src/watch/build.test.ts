import { describe, expect, it } from 'vitest';
import { buildOver, damage, finds, heldLooks } from '../../../../test/support/text-build.ts';

describe('the state of the text side', () => {
  it('is building until every file the reconcile met has settled', async () => {
    const { build, events } = buildOver(finds('a.md', 'b.md'));
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'building', waiting: 2 });
    await build.settle('a.md', false, async () => {});
    expect(build.state().state).toBe('building');
    await build.settle('b.md', false, async () => {});
    expect(build.state()).toMatchObject({ state: 'ready', waiting: 0, builtAt: expect.any(String) });
    expect(events).toEqual(['ready']);
  });

  it('does not become ready on files that settle while the reconcile still runs', async () => {
    const { build } = buildOver({
      reconcile: async (met) => {
        met('a.md');
        await build.settle('a.md', false, async () => {});
        expect(build.state().state).toBe('building');
        met('b.md');
        return { seen: 2, differing: 2, unreadable: [] };
      },
    });
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'building', waiting: 1 });
  });

  it('counts a file that failed for good as settled, one that is tried again not', async () => {
    const { build } = buildOver(finds('a.md', 'b.md'));
    await build.run({ rebuild: false });
    const fail = () => Promise.reject(new Error('no'));
    await expect(build.settle('a.md', false, fail)).rejects.toThrow('no');
    expect(build.state().waiting).toBe(2);
    await expect(build.settle('a.md', true, fail)).rejects.toThrow('no');
    await build.settle('b.md', false, async () => {});
    expect(build.state().state).toBe('ready');
  });

  it('empties a damaged index once and reconciles again', async () => {
    let passes = 0;
    const { build, events } = buildOver({
      reconcile: async () => {
        passes++;
        if (passes === 1) throw damage();
        return { seen: 0, differing: 0, unreadable: [] };
      },
    });
    await build.run({ rebuild: false });
    expect(events).toEqual(['wipe', 'ready']);
  });

  it('is failed while files are known to be lost, and ready after the reconcile that finds them', async () => {
    const { build } = buildOver({});
    await build.run({ rebuild: false });
    build.lost(new Error('the disk is full'));
    await build.settle('a.md', false, async () => {});
    expect(build.state()).toMatchObject({ state: 'failed', error: expect.stringContaining('the disk is full') });
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'ready', error: null });
  });

  it('stays failed when a file settles after the last attempt to compare has failed', async () => {
    const { lookAt, endOne } = heldLooks();
    const { build, events } = buildOver({
      reconcile: async (met) => {
        met('a.md');
        throw new Error('EIO in the middle of the walk');
      },
      lookAt,
      maxAttempts: 1,
    });
    await build.run({ rebuild: false });
    await endOne();
    expect(build.state()).toMatchObject({ state: 'failed', error: expect.stringContaining('EIO'), builtAt: null });
    expect(events).toEqual([]);
  });

  it('does not become ready on files that settle between two attempts to compare', async () => {
    const { lookAt, endOne } = heldLooks();
    let attempts = 0;
    const states: string[] = [];
    const { build, events } = buildOver({
      reconcile: async (met) => {
        met('a.md');
        if (++attempts === 1) throw new Error('gone');
        return { seen: 1, differing: 1, unreadable: [] };
      },
      lookAt,
      sleep: async () => {
        await endOne();
        states.push(build.state().state);
      },
    });
    await build.run({ rebuild: false });
    await endOne();
    expect(states).toEqual(['building']);
    expect(events).toEqual(['ready']);
  });

  it('does not become ready on a comparison with rows that were removed meanwhile', async () => {
    let endFirst = () => {};
    let calls = 0;
    const { build } = buildOver({
      reconcile: async () => {
        if (++calls === 1) await new Promise<void>((resolve) => (endFirst = resolve));
        else if (calls === 2) throw new Error('EIO');
        return { seen: 0, differing: 0, unreadable: [] };
      },
      maxAttempts: 1,
    });
    const first = build.run({ rebuild: false });
    await build.run({ rebuild: true });
    endFirst();
    await first;
    expect(build.state()).toMatchObject({ state: 'failed', builtAt: null });
    await build.run({ rebuild: false });
    expect(build.state().state).toBe('ready');
  });

  it('ends a reconcile, and the wait for the next attempt, when stopped', async () => {
    const { build } = buildOver({
      reconcile: (_met, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const running = build.run({ rebuild: false });
    build.stop();
    await running;
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'building', passes: 0 });
  });

  it('forgets what an earlier reconcile waited for and a later one does not meet', async () => {
    let met = ['gone.md'];
    const { build } = buildOver({
      reconcile: async (meet) => {
        met.forEach(meet);
        return { seen: met.length, differing: met.length, unreadable: [] };
      },
    });
    await build.run({ rebuild: false });
    expect(build.state().state).toBe('building');
    met = [];
    await build.run({ rebuild: false });
    expect(build.state().state).toBe('ready');
  });

  it('is failed, with the reason, after the last attempt, and ready again after a reconcile that works', async () => {
    let broken = true;
    const { build, events } = buildOver({
      reconcile: async () => {
        if (broken) throw new Error('the folder is gone');
        return { seen: 0, differing: 0, unreadable: [] };
      },
    });
    await build.run({ rebuild: false });
    expect(events).toEqual(['sleep 5000', 'sleep 5000']);
    expect(build.state()).toMatchObject({ state: 'failed', error: expect.stringContaining('the folder is gone') });
    broken = false;
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'ready', error: null });
  });

  it('starts as ready over an index that was whole, and is building again after a rebuild is asked for', async () => {
    const { build, events } = buildOver(finds('a.md', 'b.md'), {
      builtAt: '2026-01-01T00:00:00.000Z',
      buildSeconds: 2,
    });
    expect(build.state()).toMatchObject({ state: 'ready', buildSeconds: 2 });
    await build.run({ rebuild: true });
    expect(events).toEqual(['wipe']);
    expect(build.state()).toMatchObject({ state: 'building', builtAt: null, waiting: 2 });
  });
});
