import { silentLogger } from '@vault-mcp/shared/log';
import { describe, expect, it } from 'vitest';
import { type BuildDeps, createBuild } from './build.ts';

function buildOver(overrides: Partial<BuildDeps>, built: { builtAt: string; buildSeconds: number } | null = null) {
  let now = 0;
  const events: string[] = [];
  const build = createBuild(
    {
      wipe: () => events.push('wipe'),
      reconcile: async () => ({ seen: 0, differing: 0, unreadable: [] }),
      // A job does it, which the tests play.
      lookAt: async () => false,
      onLeft: (error) => events.push(`left: ${(error as Error).message}`),
      onChange: () => {},
      onReady: () => events.push('ready'),
      logger: silentLogger(),
      maxAttempts: 3,
      retrySeconds: 5,
      sleep: async (ms) => {
        events.push(`sleep ${ms}`);
      },
      now: () => (now += 1000),
      ...overrides,
    },
    built,
  );
  return { build, events };
}

const twoFiles: Pick<BuildDeps, 'reconcile'> = {
  reconcile: async (met) => {
    met('a.md');
    met('b.md');
    return { seen: 2, differing: 2, unreadable: [] };
  },
};

describe('the state of the text side', () => {
  it('is building until every file the reconcile met has settled', async () => {
    const { build, events } = buildOver(twoFiles);
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'building', waiting: 2 });
    await build.settle('a.md', false, async () => {});
    expect(build.state().state).toBe('building');
    await build.settle('b.md', false, async () => {});
    expect(build.state()).toMatchObject({ state: 'ready', waiting: 0, builtAt: expect.any(String) });
    expect(events).toEqual(['ready']);
  });

  it('is ready once it has looked at every file itself', async () => {
    const looked: string[] = [];
    const { build, events } = buildOver({
      ...twoFiles,
      lookAt: async (path) => {
        looked.push(path);
        return true;
      },
    });
    await build.run({ rebuild: false });
    await build.idle();
    expect(looked).toEqual(['a.md', 'b.md']);
    expect(build.state()).toMatchObject({ state: 'ready', waiting: 0 });
    expect(events).toEqual(['ready']);
  });

  it('goes on with the other files when one is left to the next reconcile, and waits for that one', async () => {
    const { build, events } = buildOver({
      ...twoFiles,
      lookAt: async (path) => {
        if (path === 'a.md') throw new Error('no queue');
        return true;
      },
    });
    await build.run({ rebuild: false });
    await build.idle();
    expect(build.state()).toMatchObject({ state: 'building', waiting: 1 });
    expect(events).toEqual(['left: no queue']);
  });

  it('reports what fails once all are in, instead of failing with it', async () => {
    const events: string[] = [];
    const { build } = buildOver({
      ...twoFiles,
      // Still at it when the comparing ends.
      lookAt: () => new Promise((resolve) => setImmediate(resolve, true)),
      onLeft: (error) => events.push((error as Error).message),
      onReady: () => {
        throw new Error('the disk is full');
      },
    });
    await build.run({ rebuild: false });
    await build.idle();
    expect(events).toEqual(['the disk is full']);
  });

  it('looks at no further file once it is stopped', async () => {
    const looked: string[] = [];
    const { build } = buildOver({
      reconcile: async (met) => {
        for (let i = 0; i < 50; i++) met(`${i}.md`);
        return { seen: 50, differing: 50, unreadable: [] };
      },
      lookAt: async (path) => {
        looked.push(path);
        build.stop();
        return true;
      },
    });
    await build.run({ rebuild: false });
    await build.idle();
    expect(looked.length).toBeLessThanOrEqual(2);
    expect(build.state().state).toBe('building');
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
    const { build } = buildOver(twoFiles);
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
        if (passes === 1) throw Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });
        return { seen: 0, differing: 0, unreadable: [] };
      },
    });
    await build.run({ rebuild: false });
    expect(events).toEqual(['wipe', 'ready']);
  });

  it('is failed while files are known to be lost, and ready after the reconcile that finds them', async () => {
    const { build } = buildOver({});
    await build.run({ rebuild: false });
    build.lost('the disk is full');
    await build.settle('a.md', false, async () => {});
    expect(build.state()).toMatchObject({ state: 'failed', error: 'the disk is full' });
    await build.run({ rebuild: false });
    expect(build.state()).toMatchObject({ state: 'ready', error: null });
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
    const { build, events } = buildOver(twoFiles, { builtAt: '2026-01-01T00:00:00.000Z', buildSeconds: 2 });
    expect(build.state()).toMatchObject({ state: 'ready', buildSeconds: 2 });
    await build.run({ rebuild: true });
    expect(events).toEqual(['wipe']);
    expect(build.state()).toMatchObject({ state: 'building', builtAt: null, waiting: 2 });
  });
});
