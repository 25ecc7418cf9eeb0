import { silentLogger } from '@vault-mcp/shared/log';
import { describe, expect, it } from 'vitest';
import { createMetFileSync } from './met-file.ts';

function over(options: { sync?: () => Promise<'stored'>; add?: () => Promise<void> }) {
  const calls: unknown[] = [];
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
    logger: silentLogger(),
    onSynced: () => calls.push('synced'),
  });
  return { lookAt, calls };
}

const grouped = { path: 'a.md', grouped: true };
const alone = { name: 'sync-path', payload: { path: 'a.md', source: 'scan' } };

describe('a file that a reconcile met', () => {
  it('is looked at with its neighbours, without a job', async () => {
    const { lookAt, calls } = over({});
    expect(await lookAt('a.md')).toBe(true);
    expect(calls).toEqual([grouped, 'synced']);
  });

  it('is left to a job of its own when that fails', async () => {
    const { lookAt, calls } = over({ sync: () => Promise.reject(new Error('the disk is full')) });
    expect(await lookAt('a.md')).toBe(false);
    expect(calls).toEqual([grouped, alone]);
  });

  it('is left to the next reconcile when the queue takes no job', async () => {
    const { lookAt } = over({
      sync: () => Promise.reject(new Error('no extraction: Redis is away')),
      add: () => Promise.reject(new Error('Redis is away')),
    });
    await expect(lookAt('a.md')).rejects.toThrow('Redis is away');
  });

  it('says so when the index is damaged, which no second try cures', async () => {
    const damage = Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });
    const { lookAt, calls } = over({ sync: () => Promise.reject(damage) });
    await expect(lookAt('a.md')).rejects.toBe(damage);
    expect(calls).toEqual([grouped]);
  });
});
