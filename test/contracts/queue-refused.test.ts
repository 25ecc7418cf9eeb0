/**
 * A redis-server that is reached and takes no jobs, and connections that end in order: what the BullMQ adapter says of them.
 * Each test has a redis-server of its own, which it hurts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@vault-mcp/shared/log';
import { createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import { QueueAwayError } from '@vault-mcp/shared/queue/producer';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startRedisServer } from '../support/redis-server.ts';

const WAIT = { timeout: 60_000, interval: 10 };
const extraction = (n: number) => ({ path: `${n}.pdf`, sha256: n.toString(16).padStart(64, '0') });

describe('the BullMQ queue on a Redis that takes no jobs', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** A queue on its own redis-server, what it logs, and a hand on that server's settings. */
  async function openWatched(serverArguments: string[] = []) {
    const server = await startRedisServer(serverArguments);
    const lines: { level: number; msg: string; reason?: string }[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => lines.push(JSON.parse(line)) } });
    const onReconnect = vi.fn();
    const queue = createBullmqQueue({ redisUrl: server.url, prefix: 'p', log, onReconnect });
    const operator = new Redis(server.url);
    closers.push(
      () => server.stop(),
      async () => operator.disconnect(),
      () => queue.close(),
    );
    await vi.waitFor(async () => expect((await queue.stats()).ok).toBe(true), WAIT);
    return { queue, lines, onReconnect, operator };
  }

  it.each([
    [
      'whose memory is full',
      (operator: Redis) => operator.config('SET', 'maxmemory', '1'),
      (operator: Redis) => operator.config('SET', 'maxmemory', '0'),
      /^OOM /,
    ],
    [
      'that has become a replica',
      (operator: Redis) => operator.replicaof('127.0.0.1', 1),
      (operator: Redis) => operator.replicaof('NO', 'ONE'),
      /^READONLY /,
    ],
  ])(
    'tells once of a Redis %s, in the log and in its stats, and once when it takes jobs again',
    async (_what, fill, free, reason) => {
      const { queue, lines, onReconnect, operator } = await openWatched();
      await queue.add('extract-document', extraction(0));
      await fill(operator);
      for (let n = 1; n <= 50; n += 1) {
        await expect(queue.add('extract-document', extraction(n))).rejects.toThrow(QueueAwayError);
      }
      expect(lines).toMatchObject([
        { level: 40, msg: 'Redis takes no jobs; trying on', reason: expect.stringMatching(reason) },
      ]);
      const { error, ...held } = await queue.stats();
      expect(held).toMatchObject({ ok: false, depth: 1, queues: { extract: { depth: 1 } } });
      expect(error).toContain(lines[0]?.reason);
      await free(operator);
      await vi.waitFor(async () => expect(await queue.stats()).toMatchObject({ ok: true, error: null }), WAIT);
      expect(lines.map(({ msg }) => msg)).toEqual(['Redis takes no jobs; trying on', 'Redis takes jobs again']);
      expect(onReconnect).toHaveBeenCalledTimes(1);
      await queue.add('extract-document', extraction(1));
      expect((await queue.stats()).depth).toBe(2);
    },
  );

  it('does not tell of each time that memory runs out while jobs are added and worked off', async () => {
    const { queue, lines } = await openWatched(['--maxmemory', '1500kb']);
    const begun = performance.now();
    const refusals: unknown[] = [];
    for (let n = 0; n < 1_500; n += 1) {
      await queue.add('sync-path', { path: `${n}.md`, source: 'news' }).catch((error: unknown) => refusals.push(error));
      if (n % 500 === 499) await queue.clear('index');
    }
    expect(refusals.length).toBeGreaterThan(10);
    expect(refusals.every((error) => error instanceof QueueAwayError)).toBe(true);
    expect(new Set(refusals.map(String))).toEqual(
      new Set([
        "QueueAwayError: Redis did not do what it was asked: OOM command not allowed when used memory > 'maxmemory'.",
      ]),
    );
    // A machine that is slow enough has 5 s in between without a refusal.
    const calms = Math.floor((performance.now() - begun) / 5_000);
    expect(lines[0]).toMatchObject({ level: 40, msg: 'Redis takes no jobs; trying on' });
    expect(lines.length).toBeLessThanOrEqual(1 + 2 * calms);
  });

  it('does not take for Redis’s failure what cannot be sent at all', async () => {
    const { queue, lines } = await openWatched();
    const circular: Record<string, unknown> = { path: 'a.md', source: 'news' };
    circular.self = circular;
    for (const payload of [circular, { source: 'news' }]) {
      const defect = await queue.add('sync-path', payload as never).catch((error: unknown) => error);
      expect(defect).toBeInstanceOf(TypeError);
    }
    expect([lines, (await queue.stats()).ok]).toEqual([[], true]);
  });

  it('says nothing of a connection that it ends itself', async () => {
    const { queue, lines } = await openWatched();
    await queue.add('reconcile', {});
    await queue.close();
    await sleep(200);
    expect(lines).toEqual([]);
    await expect(queue.add('reconcile', {})).rejects.toThrow(new QueueAwayError('The job queue is closed.'));
  });
});
