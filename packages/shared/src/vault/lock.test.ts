import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { createLogger } from '../log.ts';
import { type LockOptions, openPathLocks, type PathClaim, type PathLocks } from './lock.ts';
import { openLockTickets } from './lock-tickets.ts';
import { parseVaultPath } from './path.ts';

const claim = (path: string, tree = false): PathClaim => ({ path: parseVaultPath(path), tree });

/** Something that is finished when told so. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), passed };
}

let data: TempFolder;
let opened: PathLocks[];
beforeEach(async () => {
  data = await createTempFolder('locks');
  opened = [];
});
afterEach(async () => {
  for (const locks of opened) locks.close();
  await data.remove();
});

/** Two of them in one process are to one another what two processes are. */
async function open(waitMs?: number, options: LockOptions = {}): Promise<PathLocks> {
  const locks = await openPathLocks(data.path, { ...(waitMs === undefined ? {} : { waitMs }), ...options });
  opened.push(locks);
  return locks;
}

/** Takes a lock and keeps it until told otherwise. */
async function occupy(locks: PathLocks, ...claims: PathClaim[]) {
  const [taken, end] = [gate(), gate()];
  const done = locks.hold(claims, async () => {
    taken.open();
    await end.passed;
  });
  await taken.passed;
  return {
    async free() {
      end.open();
      await done;
    },
  };
}

describe('path locks', () => {
  it('let waiters in one after the other, in order of arrival, whichever process they belong to', async () => {
    const [a, b] = [await open(), await open()];
    const first = await occupy(a, claim('note.md'));
    const order: number[] = [];
    let inside = 0;
    const waiters = Array.from({ length: 12 }, (_, i) =>
      (i % 3 === 0 ? b : a).hold([claim('note.md')], async () => {
        expect(++inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(i);
        inside -= 1;
      }),
    );
    expect(order).toEqual([]);
    await first.free();
    await Promise.all(waiters);
    expect(order).toEqual(waiters.map((_, i) => i));
  });

  it.each([
    ['another note', claim('a.md'), claim('b.md')],
    ['a note whose name begins alike', claim('House', true), claim('House 2/b.md')],
    ['a note in the folder that is only named, not claimed whole', claim('House'), claim('House/b.md')],
  ])('do not make %s wait', async (_name, held, wanted) => {
    const locks = await open(50);
    const first = await occupy(locks, held);
    await expect(locks.hold([wanted], async () => 'in')).resolves.toBe('in');
    await first.free();
  });

  it.each([
    ['another spelling of the note', claim('Café.md'), claim('cafe\u0301.MD')],
    ['what is below a folder that is claimed whole', claim('House', true), claim('house/Deep/b.md')],
    ['a folder with a note at work below it', claim('House/Deep/b.md'), claim('House', true)],
    ['whoever wants one of several', claim('b.md'), claim('a.md')],
  ])('make %s wait, and give up with an error that says what to do', async (_name, held, wanted) => {
    const [a, b] = [await open(), await open(60)];
    const first = await occupy(a, held, claim('a.md'));
    await expect(b.hold([wanted], async () => 'in')).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/Nothing was changed: try again/),
    });
    await first.free();
    await expect(b.hold([wanted], async () => 'in')).resolves.toBe('in');
  });

  it('are free again after work that failed', async () => {
    const locks = await open(50);
    await expect(locks.hold([claim('a.md')], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(locks.hold([claim('a.md')], async () => 'in')).resolves.toBe('in');
  });

  it('never deadlock when each call claims all its paths together', async () => {
    const locks = [await open(), await open()];
    const paths = ['a', 'a/b', 'a/b/c.md', 'a/d.md', 'e.md'];
    const call = fc.record({
      by: fc.nat(1),
      claims: fc.array(fc.record({ path: fc.constantFrom(...paths), tree: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
        const inside = new Set<readonly PathClaim[]>();
        const done = await Promise.all(
          calls.map(({ by, claims }) => {
            const wanted = claims.map(({ path, tree }) => claim(path, tree));
            return locks[by]?.hold(wanted, async () => {
              for (const other of inside) expect(conflict(other, wanted)).toBe(false);
              inside.add(wanted);
              await new Promise((resolve) => setImmediate(resolve));
              return inside.delete(wanted);
            });
          }),
        );
        expect(done).toEqual(calls.map(() => true));
      }),
      { numRuns: 30 },
    );
  });

  it('end waiting when the server stops', async () => {
    const locks = await open();
    const first = await occupy(locks, claim('a.md'));
    const waiting = locks.hold([claim('a.md')], async () => 'in');
    locks.close();
    await expect(waiting).rejects.toMatchObject({ code: 'locked' });
    expect(locks.closed.reason).toMatchObject({ code: 'locked' });
    await expect(locks.hold([claim('b.md')], async () => 'in')).rejects.toMatchObject({ code: 'locked' });
    await first.free();
    const next = await open();
    await expect(next.hold([claim('a.md')], async () => 'in')).resolves.toBe('in');
  });

  it('are given back later when the disk is full at that moment, and let the next call in then', async () => {
    let failures = 3;
    const lines: { level: number; reason?: string }[] = [];
    const locks = await open(undefined, {
      logger: createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } }),
      openTickets: (folder, options) => {
        const tickets = openLockTickets(folder, options);
        return {
          ...tickets,
          drop: (ticket, owner) => {
            if (failures-- > 0) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
            tickets.drop(ticket, owner);
          },
        };
      },
    });
    await expect(locks.hold([claim('a.md')], async () => 'done')).resolves.toBe('done');
    await expect(locks.hold([claim('a.md')], async () => 'in')).resolves.toBe('in');
    expect(failures).toBeLessThan(0);
    expect(lines).toMatchObject([{ level: 40, reason: 'full' }, { level: 30 }]);
  });

  it('start anew over a damaged table when nobody else is there', async () => {
    (await open()).close();
    await writeFile(join(data.path, 'locks', 'tickets.db'), 'no database at all, but long enough to be read as one');
    const locks = await open();
    await expect(locks.hold([claim('a.md')], async () => 'in')).resolves.toBe('in');
  });
});

describe('many calls that wait', () => {
  const CALLS = 200;

  /** Locks that count what their tickets are asked. */
  async function counted() {
    const asked = { ahead: 0, version: 0, present: 0 };
    const locks = await open(undefined, {
      openTickets: (folder, options) => {
        const tickets = openLockTickets(folder, options);
        return {
          ...tickets,
          ahead: (ticket, claims) => {
            asked.ahead++;
            return tickets.ahead(ticket, claims);
          },
          version: () => {
            asked.version++;
            return tickets.version();
          },
          present: () => {
            asked.present++;
            return tickets.present();
          },
        };
      },
    });
    return { locks, asked };
  }
  const below = (i: number): PathClaim => claim(`House/Room ${i % 50}/note ${i}.md`);

  it.each([
    ['below a folder that this process changes', claim('House', true), below],
    ['for one note', claim('a.md'), () => claim('a.md')],
    ['for a folder with a note at work below it', claim('House/a.md'), () => claim('House', true)],
  ])('%s ask the tickets once each, when their turn comes', async (_name, held, wanted) => {
    const { locks, asked } = await counted();
    const first = await occupy(locks, held);
    const waiting = Array.from({ length: CALLS }, (_, i) => locks.hold([wanted(i)], async () => i));
    expect(asked).toEqual({ ahead: 1, version: 0, present: 0 });
    await first.free();
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, i) => i));
    expect(asked).toEqual({ ahead: 1 + CALLS, version: 0, present: 0 });
  });

  it('for another process look whether it has changed anything, and ask no more until it has', async () => {
    const other = await open();
    const { locks, asked } = await counted();
    const first = await occupy(other, claim('House', true));
    const waiting = Array.from({ length: CALLS }, (_, i) => locks.hold([below(i)], async () => i));
    while (asked.version < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked.ahead).toBe(CALLS);
    expect(asked.present).toBe(1);
    await other.hold([claim('elsewhere.md')], async () => undefined);
    const { version } = asked;
    while (asked.version < version + 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked.ahead).toBe(CALLS);
    await first.free();
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, i) => i));
    expect(asked.ahead).toBe(2 * CALLS);
  });
});

function conflict(a: readonly PathClaim[], b: readonly PathClaim[]): boolean {
  const above = (one: PathClaim, other: PathClaim) => (one.tree ?? false) && other.path.startsWith(`${one.path}/`);
  return a.some((one) => b.some((other) => one.path === other.path || above(one, other) || above(other, one)));
}

describe('a process that was killed', () => {
  let child: ChildProcess;

  /** Holds `a.md` and lets another call wait for it. */
  async function holder(): Promise<string> {
    const compiled = pathToFileURL(join(import.meta.dirname, '../../dist/vault/lock.js')).href;
    const script = join(data.path, 'hold.mjs');
    await writeFile(
      script,
      `import { openPathLocks } from ${JSON.stringify(compiled)};
       const locks = await openPathLocks(process.argv[2]);
       const claims = [{ path: 'a.md' }];
       void locks.hold(claims, () => { process.send(locks.owner); return new Promise(() => setInterval(() => {}, 1000)); });
       void locks.hold(claims, async () => {});`,
    );
    child = fork(script, [data.path]);
    const [owner] = await once(child, 'message');
    return owner as string;
  }

  it('is known to be dead at once, and what it held is taken over', async () => {
    const locks = await open();
    const owner = await holder();
    expect(locks.isAlive(owner)).toBe(true);
    expect(locks.isAlive(locks.owner)).toBe(true);
    const waiting = locks.hold([claim('a.md')], async () => 'in');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(locks.isAlive(owner)).toBe(false);
    await expect(waiting).resolves.toBe('in');
  });

  it('leaves a file that the next start takes away', async () => {
    const owner = await holder();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await readdir(join(data.path, 'locks'))).toContain(`${owner}.db`);
    const locks = await open();
    const files = await readdir(join(data.path, 'locks'));
    expect(files).not.toContain(`${owner}.db`);
    expect(files).toContain(`${locks.owner}.db`);
    expect(locks.isAlive(owner)).toBe(false);
  });
});
