import { createLogger } from '@vault-mcp/shared/log';
import { describe, expect, it } from 'vitest';
import { createMetFileSync } from './met-file.ts';
import type { SyncOutcome } from './sync-file.ts';

function over(options: { sync?: () => Promise<SyncOutcome>; add?: () => Promise<void> }) {
  const calls: unknown[] = [];
  const lines: string[] = [];
  const lookAt = createMetFileSync({
    sync: {
      syncPath: async (path, { grouped = false } = {}) => {
        calls.push({ path, grouped });
        return options.sync ? options.sync() : 'stored';
      },
    },
    producer: {
      add: async (name, payload) => {
        calls.push({ name, payload });
        await options.add?.();
      },
    },
    logger: createLogger({ name: 'test', destination: { write: (line) => lines.push(line) } }),
    onSynced: () => calls.push('synced'),
  });
  return { lookAt, calls, lines };
}

const grouped = { path: 'a.md', grouped: true };
const alone = { name: 'sync-path', payload: { path: 'a.md', source: 'scan' } };

describe('a file that a reconcile met', () => {
  it('is looked at with its neighbours, without a job', async () => {
    const { lookAt, calls } = over({});
    expect(await lookAt('a.md')).toBe(true);
    expect(calls).toEqual([grouped, 'synced']);
  });

  it('leaves a turn to whatever came meanwhile, though nothing about it is waited for', async () => {
    const { lookAt, calls } = over({});
    setImmediate(() => calls.push('news'));
    await lookAt('a.md');
    await lookAt('a.md');
    expect(calls.indexOf('news')).toBeLessThan(calls.indexOf('synced'));
  });

  it('is left to a job of its own when that fails, and named', async () => {
    const fault = Object.assign(new Error('FOREIGN KEY constraint failed'), { code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    const { lookAt, calls, lines } = over({ sync: () => Promise.reject(fault) });
    expect(await lookAt('a.md')).toBe(false);
    expect(calls).toEqual([grouped, alone]);
    expect(lines).toEqual([expect.stringContaining('"path":"a.md"')]);
  });

  it('is not tried with its neighbours again, whenever it is met, until it has got in', async () => {
    let isBad = true;
    const { lookAt, calls } = over({
      sync: async () => {
        if (isBad) throw new Error('no row can hold it');
        return 'stored';
      },
    });
    await lookAt('a.md');
    isBad = false;
    await lookAt('a.md');
    await lookAt('a.md');
    expect(calls).toEqual([grouped, alone, { path: 'a.md', grouped: false }, 'synced', grouped, 'synced']);
  });

  it('is left to the next reconcile, without a word for each, when the queue takes no job', async () => {
    const { lookAt, lines } = over({
      sync: () => Promise.reject(new Error('no extraction: Redis is away')),
      add: () => Promise.reject(new Error('Redis is away')),
    });
    await expect(lookAt('a.md')).rejects.toThrow('Redis is away');
    expect(lines).toEqual([]);
  });

  it.each(['SQLITE_CORRUPT', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'ENOSPC', 'EMFILE'])(
    'gets no job of its own for a fault that every file would meet (%s)',
    async (code) => {
      const fault = Object.assign(new Error('no'), { code });
      const { lookAt, calls, lines } = over({ sync: () => Promise.reject(fault) });
      await expect(lookAt('a.md')).rejects.toBe(fault);
      expect(calls).toEqual([grouped]);
      expect(lines).toEqual([]);
    },
  );

  it('is not done with when the vault is gone', async () => {
    const { lookAt, calls } = over({ sync: async () => 'vault_gone' });
    await expect(lookAt('a.md')).rejects.toThrow('The vault folder is gone');
    expect(calls).toEqual([grouped]);
  });
});
