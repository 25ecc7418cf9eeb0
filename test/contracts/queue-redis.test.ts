/**
 * What the BullMQ adapter promises when Redis or a worker misbehaves: killed, frozen, away, full of another version's
 * jobs. Each test that hurts its redis-server has one of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@vault-mcp/shared/log';
import { createBullmqQueue } from '@vault-mcp/shared/queue/bullmq';
import type { HandlersFor, JobProblem, JobQueue } from '@vault-mcp/shared/queue/producer';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { openRedisQueues, type RedisQueues } from '../support/redis-queues.ts';
import { startRedisServer } from '../support/redis-server.ts';

const WAIT = { timeout: 60_000, interval: 10 };

describe('the BullMQ queue when Redis misbehaves', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function openQueues(): Promise<RedisQueues> {
    const queues = await openRedisQueues();
    closers.push(
      () => queues.stop(),
      () => queues.closeAll(),
    );
    return queues;
  }

  async function consumeExtract(queue: JobQueue, handler: HandlersFor<'extract'>['extract-document']) {
    const problems: JobProblem[] = [];
    const consumer = await queue.consume(
      'extract',
      { 'extract-document': handler },
      { concurrency: 1, onError: (problem) => problems.push(problem) },
    );
    closers.push(() => consumer.close({ timeoutMs: 1_000 }));
    return { consumer, problems };
  }

  const extraction = (n: number) => ({ path: `${n}.pdf`, sha256: n.toString(16).padStart(64, '0') });

  it('keeps every job over a SIGKILL of Redis', async () => {
    const queues = await openQueues();
    const queue = await queues.openReady();
    for (let n = 0; n < 20; n += 1) await queue.add('extract-document', extraction(n));
    await queues.server.kill();
    await queues.server.restart();
    const seen = new Set<string>();
    await consumeExtract(queue, async ({ path }) => void seen.add(path));
    await vi.waitFor(() => expect(seen.size).toBe(20), WAIT);
  });

  it('rejects adds while Redis is away, says so in its stats, and works again when it is back', async () => {
    const queues = await openQueues();
    const onReconnect = vi.fn();
    const queue = await queues.openReady({ onReconnect });
    const seen: string[] = [];
    await consumeExtract(queue, async ({ path }) => void seen.push(path));
    await queue.add('extract-document', extraction(1));
    await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT);

    await queues.server.kill();
    await vi.waitFor(async () => expect((await queue.stats()).ok).toBe(false), WAIT);
    await expect(queue.add('extract-document', extraction(2))).rejects.toThrow(/Redis/);
    expect(await queue.stats()).toMatchObject({ ok: false, depth: 0, error: expect.stringContaining('Redis') });
    expect(onReconnect).not.toHaveBeenCalled();

    await queues.server.restart();
    await vi.waitFor(() => expect(onReconnect).toHaveBeenCalledTimes(1), WAIT);
    await queue.add('extract-document', extraction(3));
    await vi.waitFor(() => expect(seen).toEqual(['1.pdf', '3.pdf']), WAIT);
  });

  it('names Redis in every refusal, from the first moment it is gone', async () => {
    const queues = await openQueues();
    const queue = await queues.openReady();
    const gone = queues.server.kill();
    const refusals: string[] = [];
    for (let n = 0; refusals.length < 50; n++) {
      await queue.add('extract-document', extraction(n)).catch((error: Error) => refusals.push(error.message));
      await new Promise(setImmediate);
    }
    await gone;
    expect(refusals.filter((message) => !message.includes('Redis'))).toEqual([]);
    await queues.server.restart();
  });

  it('opens and consumes with no Redis there, and starts when it comes', async () => {
    const queues = await openQueues();
    await queues.server.kill();
    const onReconnect = vi.fn();
    const queue = queues.open({ onReconnect });
    const seen: string[] = [];
    await consumeExtract(queue, async ({ path }) => void seen.push(path));
    await expect(queue.add('extract-document', extraction(1))).rejects.toThrow(/Redis/);
    await queues.server.restart();
    await vi.waitFor(() => expect(onReconnect).toHaveBeenCalledTimes(1), WAIT);
    await queue.add('extract-document', extraction(2));
    await vi.waitFor(() => expect(seen).toEqual(['2.pdf']), WAIT);
  });

  it('does not wait for a Redis that takes commands and answers none', async () => {
    const queues = await openQueues();
    const queue = await queues.openReady();
    await queue.add('extract-document', extraction(1));
    queues.server.freeze();
    await expect(queue.add('extract-document', extraction(2))).rejects.toThrow(/timed out/);
    queues.server.thaw();
    await vi.waitFor(async () => expect(await queue.stats()).toMatchObject({ ok: true }), WAIT);
  });

  it('closes consumer and queue while Redis is away', async () => {
    const queues = await openQueues();
    const queue = await queues.openReady();
    const { consumer } = await consumeExtract(queue, async () => {});
    await queues.server.kill();
    await consumer.close({ timeoutMs: 200 });
    await queue.close();
    expect((await queue.stats()).error).toBe('The job queue is closed.');
  });

  it('does not run a job twice whose handler holds the event loop, as long as it is within the lock', async () => {
    const queues = await openQueues();
    // The index queue's lock is 30 s for some 6 s of held event loop; this is the same ratio, scaled down.
    const queue = await queues.openReady({ lockMs: 2_500 });
    let runs = 0;
    const block = async () => {
      runs += 1;
      const until = performance.now() + 500;
      while (performance.now() < until);
    };
    const first = await consumeExtract(queue, block);
    const second = await consumeExtract(queue, block);
    await queue.add('extract-document', extraction(1));
    await vi.waitFor(async () => expect((await queue.stats()).depth).toBe(0), WAIT);
    // Two rounds of the stalled-job check, which is what would run it again.
    await sleep(2 * 2_500);
    expect(runs).toBe(1);
    expect([...first.problems, ...second.problems]).toEqual([]);
  });

  it('takes up the job of a worker that died, once its lock has run out, and until somebody does tells of nobody who works on it', async () => {
    const queues = await openQueues();
    const prefix = 'shared';
    const dying = await queues.openReady({ prefix, lockMs: 1_000 });
    let started = 0;
    const { consumer } = await consumeExtract(dying, (_job, { report }) => {
      started += 1;
      report({ step: 'ocr', page: 7, pages: 9 });
      return new Promise(() => {});
    });
    await dying.add('extract-document', extraction(1));
    await vi.waitFor(() => expect(started).toBe(1), WAIT);
    const pages = async () => (await dying.inHand('extract')).map(({ progress }) => progress?.page);
    await vi.waitFor(async () => expect(await pages()).toEqual([7]), WAIT);
    // Lets go without finishing, so its lock is no longer renewed: what a killed process leaves behind.
    expect(await consumer.close({ timeoutMs: 10 })).toBe(false);
    await vi.waitFor(async () => expect(await pages()).toEqual([]), WAIT);
    expect((await dying.stats()).queues?.extract.depth).toBe(1);

    const heir = await queues.openReady({ prefix, lockMs: 1_000 });
    const seen: string[] = [];
    await consumeExtract(heir, async ({ path }) => void seen.push(path));
    await vi.waitFor(() => expect(seen).toEqual(['1.pdf']), WAIT);
  });

  it('takes up at once what a dead predecessor held, where nobody else may consume', async () => {
    const queues = await openQueues();
    const prefix = 'alone';
    const dying = await queues.openReady({ prefix, lockMs: 600_000 });
    let started = 0;
    const { consumer } = await consumeExtract(dying, () => {
      started += 1;
      return new Promise(() => {});
    });
    await dying.add('extract-document', extraction(1));
    await vi.waitFor(() => expect(started).toBe(1), WAIT);
    await consumer.close({ timeoutMs: 10 });

    const heir = await queues.openReady({ prefix, lockMs: 600_000 });
    const seen: string[] = [];
    const handler = { 'extract-document': async ({ path }: { path: string }) => void seen.push(path) };
    const options = { concurrency: 1, alone: true, onError: () => {} };
    const successor = await heir.consume('extract', handler, options);
    closers.push(() => successor.close({ timeoutMs: 1_000 }));
    await vi.waitFor(() => expect(seen).toEqual(['1.pdf']), WAIT);
  });

  it('gives a job that outlasts its close back to the queue, for others to take at once', async () => {
    const queues = await openQueues();
    const prefix = 'given-back';
    const leaving = await queues.openReady({ prefix, lockMs: 600_000 });
    let started = 0;
    const consumer = await leaving.consume(
      'extract',
      {
        'extract-document': (_payload, { signal }) => {
          started += 1;
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
      },
      { concurrency: 1, onError: () => {} },
    );
    await leaving.add('extract-document', extraction(1));
    await vi.waitFor(() => expect(started).toBe(1), WAIT);
    expect(await consumer.close({ timeoutMs: 10 })).toBe(false);
    const seen: string[] = [];
    await consumeExtract(await queues.openReady({ prefix, lockMs: 600_000 }), async ({ path }) => void seen.push(path));
    await vi.waitFor(() => expect(seen).toEqual(['1.pdf']), WAIT);
  });

  it('gives up a job of another version under a name it does not know, with the reason', async () => {
    const queues = await openQueues();
    const queue = await queues.openReady();
    const { problems } = await consumeExtract(queue, async () => {});
    await queues.addRaw(queue, 'extract', 'transcribe-audio', { path: 'a.mp3' });
    await vi.waitFor(() => expect(problems).toHaveLength(1), WAIT);
    expect(String(problems[0]?.error)).toContain('"transcribe-audio" is no job of this queue');
  });

  it('keeps no finished job, and no more than the last hundred it gave up', async () => {
    const queues = await openQueues();
    const queue = await queues.openReady({ prefix: 'bounded' });
    const { problems } = await consumeExtract(queue, async () => {});
    for (let n = 0; n < 5; n += 1) await queue.add('extract-document', extraction(n));
    const connection = new Redis(queues.server.url);
    const raw = new Queue('extract', { connection: connection as never, prefix: 'bounded' });
    closers.push(
      async () => connection.disconnect(),
      () => raw.close(),
    );
    // Given to BullMQ as our producer gives its own, with a payload that cannot be parsed.
    const options = { removeOnComplete: true, removeOnFail: { count: 100 } };
    await raw.addBulk(Array.from({ length: 130 }, () => ({ name: 'extract-document', data: {}, opts: options })));
    await vi.waitFor(() => expect(problems).toHaveLength(130), WAIT);
    await vi.waitFor(async () => expect((await queue.stats()).depth).toBe(0), WAIT);
    expect(await raw.getJobCounts('completed', 'failed')).toEqual({ completed: 0, failed: 100 });
  });

  it('keeps the queues of two vaults apart by their prefix', async () => {
    const queues = await openQueues();
    const house = await queues.openReady({ prefix: 'house' });
    const office = await queues.openReady({ prefix: 'office' });
    await house.add('extract-document', extraction(1));
    expect((await house.stats()).depth).toBe(1);
    expect((await office.stats()).depth).toBe(0);
  });

  it('only warns about a Redis that may evict jobs', async () => {
    const server = await startRedisServer(['--maxmemory-policy', 'allkeys-lru']);
    closers.push(() => server.stop());
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
    const queue = createBullmqQueue({ redisUrl: server.url, prefix: 'p', log });
    closers.push(() => queue.close());
    await vi.waitFor(async () => expect((await queue.stats()).ok).toBe(true), WAIT);
    await queue.add('reconcile', {});
    await vi.waitFor(() => expect(lines.join('')).toContain('allkeys-lru'), WAIT);
    expect(lines.join('')).toContain('noeviction');
  });

  it('logs a Redis that stays away once, not on every try', async () => {
    const lines: string[] = [];
    const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
    const queue = createBullmqQueue({ redisUrl: `redis://127.0.0.1:${await freePort()}`, prefix: 'p', log });
    closers.push(() => queue.close());
    await sleep(1_500);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('ECONNREFUSED');
  });
});
