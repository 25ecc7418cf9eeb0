import { silentLogger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import { describe, expect, it } from 'vitest';
import { reindex } from './reindex.ts';

/** Records what is added, or refuses it like a queue that is away. */
function producer(added: unknown[], reachable = true): JobProducer {
  return {
    add: async (name: string, payload: unknown) => {
      if (!reachable) throw new Error('connection lost');
      added.push([name, payload]);
    },
  } as unknown as JobProducer;
}

describe('asking for a reindex', () => {
  it('queues a reconcile, or a rebuild when one is asked for', async () => {
    const added: unknown[] = [];
    const context = { queue: producer(added), log: silentLogger() };
    expect(await reindex(context, {})).toMatchObject({ status: 'queued' });
    expect(await reindex(context, { rebuild: true })).toMatchObject({ status: 'queued' });
    expect(added).toEqual([
      ['reconcile', {}],
      ['reconcile', { rebuild: true }],
    ]);
  });

  it('says deferred while the queue is away, and that a rebuild has to be asked for again', async () => {
    const context = { queue: producer([], false), log: silentLogger() };
    expect(await reindex(context, {})).toMatchObject({ status: 'deferred' });
    const rebuild = await reindex(context, { rebuild: true });
    expect(rebuild.status).toBe('deferred');
    expect(rebuild.detail).toMatch(/takes no jobs just now.*ask again/);
  });
});
