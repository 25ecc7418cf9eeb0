import { describe, expect, it } from 'vitest';
import { buildOver, damage, finds, heldLooks, turn } from '../../../../test/support/text-build.ts';

describe('the files that a reconcile met', () => {
  it('is ready once it has looked at every file itself', async () => {
    const looked: string[] = [];
    const { build, events } = buildOver({
      ...finds('a.md', 'b.md'),
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

  it('looks at no further file once one is left to the next reconcile, says so once, and waits for that one', async () => {
    const met = (count: number) => Array.from({ length: count }, (_, i) => `${i}.md`);
    let isAway = true;
    const looked: string[] = [];
    const { build, events } = buildOver({
      reconcile: async (meet) => {
        met(20).forEach(meet);
        // The looks that have begun fail meanwhile.
        await turn();
        met(40).forEach(meet);
        return { seen: 40, differing: 40, unreadable: [] };
      },
      lookAt: async (path) => {
        looked.push(path);
        if (isAway) throw new Error('no queue');
        return true;
      },
    });
    await build.run({ rebuild: false });
    await build.idle();
    expect(looked).toEqual(['0.md', '1.md']);
    expect(events).toEqual(['left: no queue']);
    expect(build.state()).toMatchObject({ state: 'building', waiting: 40 });
    isAway = false;
    await build.run({ rebuild: false });
    await build.idle();
    expect(build.state()).toMatchObject({ state: 'ready', waiting: 0 });
  });

  it('goes on with the files that a damaged index kept out: whoever is told makes it anew', async () => {
    const looked: string[] = [];
    const { build, events } = buildOver({
      ...finds('a.md', 'b.md'),
      lookAt: async (path) => {
        looked.push(path);
        if (looked.length === 1) throw damage();
        return true;
      },
    });
    await build.run({ rebuild: false });
    await build.idle();
    expect(looked).toEqual(['a.md', 'b.md']);
    expect(events).toEqual(['left: malformed']);
    expect(build.state()).toMatchObject({ state: 'building', waiting: 1 });
  });

  it('reports what fails once all are in, instead of failing with it', async () => {
    const events: string[] = [];
    const { build } = buildOver({
      ...finds('a.md', 'b.md'),
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

  it.each([
    ['looks at no further file when a full disk took them', 'SQLITE_FULL', ['a.md', 'b.md']],
    ['goes on with the others when one file took them', 'SQLITE_CONSTRAINT_FOREIGNKEY', ['a.md', 'b.md', 'c.md']],
  ])('%s', async (_what, code, expected) => {
    const { looked, lookAt, endOne } = heldLooks();
    const { build } = buildOver({
      ...finds('a.md', 'b.md', 'c.md'),
      lookAt,
    });
    await build.run({ rebuild: false });
    build.lost(Object.assign(new Error('no'), { code }));
    await endOne();
    expect(looked).toEqual(expected);
    expect(build.state().state).toBe('failed');
  });

  it('waits for the second look at a file that is met again during its first', async () => {
    const { looked, lookAt, endOne } = heldLooks();
    const { build, events } = buildOver({ ...finds('a.md'), lookAt });
    await build.run({ rebuild: false });
    await build.run({ rebuild: true });
    expect(looked).toEqual(['a.md']);
    await endOne();
    expect(looked).toEqual(['a.md', 'a.md']);
    expect(build.state()).toMatchObject({ state: 'building', waiting: 1 });
    await endOne();
    expect(build.state()).toMatchObject({ state: 'ready', waiting: 0 });
    expect(events).toEqual(['wipe', 'ready']);
  });

  it('does not take the end of a job that began before the file was met for the look it waits for', async () => {
    const { lookAt, endOne } = heldLooks();
    const { build } = buildOver({ ...finds('a.md'), lookAt });
    let endJob = () => {};
    const job = build.settle('a.md', false, () => new Promise<void>((resolve) => (endJob = resolve)));
    await build.run({ rebuild: false });
    endJob();
    await job;
    expect(build.state()).toMatchObject({ state: 'building', waiting: 1 });
    await endOne();
    expect(build.state()).toMatchObject({ state: 'ready', waiting: 0 });
  });
});
