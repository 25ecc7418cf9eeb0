/**
 * The queue's contract, run over both adapters: in memory, and BullMQ on a real redis-server. What only Redis can do
 * (die, come back, be killed) stands in queue-redis.test.ts. Longer than 300 lines because one contract is one suite.
 */
import { createHash } from 'node:crypto';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import {
  type ConsumeOptions,
  type HandlersFor,
  type JobProblem,
  type JobQueue,
  PermanentJobError,
} from '@vault-mcp/shared/queue/producer';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openRedisQueues, type RedisQueues } from '../support/redis-queues.ts';

type SyncPath = JobPayload<'sync-path'>;

const WAIT = { timeout: 60_000, interval: 10 };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const news = (path: string): SyncPath => ({ path, source: 'news' });
const scan = (path: string): SyncPath => ({ path, source: 'scan' });

/** Handlers of the index queue that do nothing but what a test puts in. */
function indexHandlers(own: Partial<HandlersFor<'index'>> = {}): HandlersFor<'index'> {
  const nothing = async () => {};
  return {
    'sync-path': nothing,
    reconcile: nothing,
    'publish-catalog': nothing,
    'store-vectors': nothing,
    'store-extraction': nothing,
    ...own,
  };
}

/** A handler that stops in the middle until the test lets it go on. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

interface Adapter {
  open(): Promise<JobQueue>;
  /** Puts a job in as another version of the program might have. */
  addRaw(queue: JobQueue, name: string, payload: unknown): Promise<void>;
  after(): Promise<void>;
}

let redis: RedisQueues;
beforeAll(async () => {
  redis = await openRedisQueues();
});
afterAll(() => redis?.stop());

const inMemory: Adapter = {
  open: async () => createInMemoryQueue(),
  addRaw: (queue, name, payload) => queue.add(name as 'store-vectors', payload as JobPayload<'store-vectors'>),
  after: async () => {},
};

const bullmq: Adapter = {
  open: async () => redis.openReady(),
  addRaw: (queue, name, payload) => redis.addRaw(queue, 'index', name, payload),
  after: () => redis.closeAll(),
};

describe.each([
  ['in memory', inMemory],
  ['BullMQ on Redis', bullmq],
])('a job queue (%s)', (_name, adapter) => {
  const closers: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await adapter.after();
  });

  async function open(): Promise<JobQueue> {
    const queue = await adapter.open();
    closers.push(() => queue.close());
    return queue;
  }

  async function consume(queue: JobQueue, own: Partial<HandlersFor<'index'>>, options: Partial<ConsumeOptions> = {}) {
    const problems: JobProblem[] = [];
    const consumer = await queue.consume('index', indexHandlers(own), {
      concurrency: 1,
      onError: (problem) => problems.push(problem),
      ...options,
    });
    closers.push(() => consumer.close({ timeoutMs: 2_000 }));
    return { consumer, problems };
  }

  const drained = (queue: JobQueue) => vi.waitFor(async () => expect((await queue.stats()).depth).toBe(0), WAIT);

  it('hands a payload over as it was given', async () => {
    const queue = await open();
    const seen: unknown[] = [];
    await consume(queue, { 'store-vectors': async (payload) => void seen.push(payload) });
    const payload = {
      space: 'x',
      vectors: [
        { key: 'k1', vector: 'AACAPw==' },
        { key: 'k2', error: 'too long' },
      ],
    };
    await queue.add('store-vectors', payload);
    await drained(queue);
    expect(seen).toEqual([payload]);
  });

  it('drops an add whose job is still waiting', async () => {
    const queue = await open();
    const seen: string[] = [];
    for (let i = 0; i < 5; i += 1) await queue.add('sync-path', news('Car.md'));
    expect((await queue.stats()).depth).toBe(1);
    await consume(queue, { 'sync-path': async ({ path }) => void seen.push(path) });
    await drained(queue);
    expect(seen).toEqual(['Car.md']);
  });

  it('does not lose an add made while the same job is being worked on, and runs it once with the last payload', async () => {
    const queue = await open();
    const hold = gate();
    const seen: (boolean | undefined)[] = [];
    await consume(queue, {
      'sync-path': async () => {
        seen.push(undefined);
        if (seen.length === 1) await hold.opened;
      },
    });
    await queue.add('sync-path', news('Car.md'));
    await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT);
    await queue.add('sync-path', news('Car.md'));
    await queue.add('sync-path', news('Car.md'));
    hold.open();
    await drained(queue);
    expect(seen).toHaveLength(2);
  });

  it('keeps the payload of the last add made meanwhile', async () => {
    const queue = await open();
    const hold = gate();
    const seen: string[] = [];
    const first = sha('the same bytes at three paths');
    const consumer = await queue.consume(
      'extract',
      {
        'extract-document': async ({ path }) => {
          seen.push(path);
          if (seen.length === 1) await hold.opened;
        },
      },
      { concurrency: 1, onError: () => {} },
    );
    closers.push(() => consumer.close({ timeoutMs: 2_000 }));
    await queue.add('extract-document', { path: 'a.pdf', sha256: first });
    await vi.waitFor(() => expect(seen).toHaveLength(1), WAIT);
    await queue.add('extract-document', { path: 'b.pdf', sha256: first });
    await queue.add('extract-document', { path: 'c.pdf', sha256: first });
    hold.open();
    await drained(queue);
    expect(seen).toEqual(['a.pdf', 'c.pdf']);
  });

  it('drops a batch that is already being embedded', async () => {
    const queue = await open();
    const hold = gate();
    let runs = 0;
    const batch = { space: 's', items: [{ key: 'k', text: 'a text' }] };
    const consumer = await queue.consume(
      'embed',
      {
        'embed-chunks': async () => {
          runs += 1;
          await hold.opened;
        },
      },
      { concurrency: 2, onError: () => {} },
    );
    closers.push(() => consumer.close({ timeoutMs: 2_000 }));
    await queue.add('embed-chunks', batch);
    await vi.waitFor(() => expect(runs).toBe(1), WAIT);
    await queue.add('embed-chunks', batch);
    hold.open();
    await drained(queue);
    await queue.add('embed-chunks', batch);
    await drained(queue);
    expect(runs).toBe(2);
  });

  it('takes news before a scan, and each in the order it came', async () => {
    const queue = await open();
    const seen: string[] = [];
    for (const path of ['s1.md', 's2.md', 's3.md']) await queue.add('sync-path', scan(path));
    for (const path of ['n1.md', 'n2.md']) await queue.add('sync-path', news(path));
    await consume(queue, { 'sync-path': async ({ path }) => void seen.push(path) });
    await drained(queue);
    expect(seen).toEqual(['n1.md', 'n2.md', 's1.md', 's2.md', 's3.md']);
  });

  it('keeps a rebuild apart from a plain reconcile', async () => {
    const queue = await open();
    const seen: (boolean | undefined)[] = [];
    await queue.add('reconcile', {});
    await queue.add('reconcile', { rebuild: true });
    await queue.add('reconcile', {});
    await consume(queue, { reconcile: async ({ rebuild }) => void seen.push(rebuild) });
    await drained(queue);
    expect(seen).toEqual([undefined, true]);
  });

  it.each(['2024', 'a:b.md', 'Ümlaut/日本語.md', `${'long '.repeat(50)}.md`])('carries the path %j', async (path) => {
    const queue = await open();
    const seen: string[] = [];
    await consume(queue, { 'sync-path': async (payload) => void seen.push(payload.path) });
    await queue.add('sync-path', news(path));
    await queue.add('sync-path', scan(path));
    await drained(queue);
    expect(seen).toContain(path);
  });

  it('tries a failing job again, then gives it up and counts it', async () => {
    const queue = await open();
    const attempts: [number, boolean][] = [];
    const { problems } = await consume(queue, {
      'sync-path': async (_payload, { attempt, lastAttempt }) => {
        attempts.push([attempt, lastAttempt]);
        throw new Error('the disk says no');
      },
    });
    await queue.add('sync-path', news('Car.md'));
    await vi.waitFor(async () => expect((await queue.stats()).failed).toBe(1), WAIT);
    expect(attempts).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
    expect(problems.map((problem) => problem.job)).toEqual([
      { name: 'sync-path', attempt: 1, givenUp: false },
      { name: 'sync-path', attempt: 2, givenUp: false },
      { name: 'sync-path', attempt: 3, givenUp: true },
    ]);
    expect((await queue.stats()).depth).toBe(0);
  });

  it('gives up at once what the handler says no attempt can cure, and takes the same job again later', async () => {
    const queue = await open();
    let runs = 0;
    await consume(queue, {
      'sync-path': async () => {
        runs += 1;
        if (runs === 1) throw new PermanentJobError('there is no such provider');
      },
    });
    await queue.add('sync-path', news('Car.md'));
    await vi.waitFor(async () => expect((await queue.stats()).failed).toBe(1), WAIT);
    await queue.add('sync-path', news('Car.md'));
    await drained(queue);
    expect(runs).toBe(2);
  });

  it('lets fresh news overtake the retry of a job that failed', async () => {
    const queue = await open();
    const attempts: number[] = [];
    const { problems } = await consume(queue, {
      reconcile: async (_payload, { attempt }) => {
        attempts.push(attempt);
        if (attempts.length === 1) throw new Error('not yet');
      },
    });
    await queue.add('reconcile', {});
    await vi.waitFor(() => expect(problems).toHaveLength(1), WAIT);
    // In Redis the job is moved to its retry only after the handler's error was reported.
    await vi.waitFor(async () => {
      await queue.add('reconcile', {});
      expect(attempts.length).toBeGreaterThan(1);
    }, WAIT);
    // A first attempt of a new job, not the second of the old one.
    expect(attempts[1]).toBe(1);
  });

  it('fails a payload it cannot parse with the reason, and goes on', async () => {
    const queue = await open();
    const seen: string[] = [];
    const { problems } = await consume(queue, { 'sync-path': async ({ path }) => void seen.push(path) });
    await adapter.addRaw(queue, 'store-vectors', { space: 'x', vectors: 'not a list' });
    await queue.add('sync-path', news('Car.md'));
    await vi.waitFor(async () => expect((await queue.stats()).failed).toBe(1), WAIT);
    await drained(queue);
    expect(seen).toEqual(['Car.md']);
    expect(problems).toHaveLength(1);
    expect(String(problems[0]?.error)).toMatch(/payload of "store-vectors" does not parse[\s\S]*vectors/);
    expect(problems[0]?.job).toMatchObject({ name: 'store-vectors', attempt: 1, givenUp: true });
  });

  it('works on as many jobs at a time as it was told', async () => {
    const queue = await open();
    const hold = gate();
    let running = 0;
    let most = 0;
    await consume(
      queue,
      {
        'sync-path': async () => {
          running += 1;
          most = Math.max(most, running);
          await hold.opened;
          running -= 1;
        },
      },
      { concurrency: 3 },
    );
    for (let i = 0; i < 8; i += 1) await queue.add('sync-path', scan(`${i}.md`));
    await vi.waitFor(() => expect(running).toBe(3), WAIT);
    hold.open();
    await drained(queue);
    expect(most).toBe(3);
  });

  it('shares the work of two consumers without doing any of it twice', async () => {
    const queue = await open();
    const seen: Record<'a' | 'b', string[]> = { a: [], b: [] };
    const both = gate();
    for (const name of ['a', 'b'] as const) {
      await consume(queue, {
        'sync-path': async ({ path }) => {
          seen[name].push(path);
          if (seen.a.length > 0 && seen.b.length > 0) both.open();
          await both.opened;
        },
      });
    }
    const paths = Array.from({ length: 40 }, (_, i) => `${i}.md`);
    for (const path of paths) await queue.add('sync-path', scan(path));
    await drained(queue);
    expect([...seen.a, ...seen.b].sort()).toEqual([...paths].sort());
  });

  it('finishes the job in hand when it closes, and takes no other', async () => {
    const queue = await open();
    const hold = gate();
    const seen: string[] = [];
    const { consumer } = await consume(queue, {
      'sync-path': async ({ path }) => {
        await hold.opened;
        seen.push(path);
      },
    });
    await queue.add('sync-path', news('first.md'));
    await queue.add('sync-path', news('second.md'));
    await vi.waitFor(async () => expect((await queue.stats()).depth).toBe(2), WAIT);
    const closing = consumer.close({ timeoutMs: 10_000 });
    hold.open();
    expect(await closing).toBe(true);
    expect(seen.length).toBeLessThanOrEqual(1);
    expect((await queue.stats()).depth).toBe(2 - seen.length);
  });

  it('runs a job or leaves it, however soon after its start it closes', async () => {
    const told: { ran: number; waiting: number }[] = [];
    for (let round = 0; round < 60; round += 1) {
      const queue = await open();
      let ran = 0;
      await queue.add('sync-path', news('first.md'));
      await queue.add('sync-path', news('second.md'));
      const { consumer } = await consume(queue, { 'sync-path': async () => void ran++ });
      // Into the moments in which a consumer reaches its queue.
      const until = performance.now() + (round % 20) / 5;
      while (performance.now() < until) await new Promise(setImmediate);
      expect(await consumer.close({ timeoutMs: 60_000 })).toBe(true);
      const waiting = (await queue.stats()).depth;
      told.push({ ran, waiting });
    }
    expect(told.filter(({ ran, waiting }) => ran + waiting !== 2)).toEqual([]);
  });

  it('says so when the job in hand outlasts the close, and aborts it', async () => {
    const queue = await open();
    const aborted = gate();
    const started = gate();
    const { consumer } = await consume(queue, {
      'sync-path': async (_payload, { signal }) => {
        started.open();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        aborted.open();
      },
    });
    await queue.add('sync-path', news('long.md'));
    await started.opened;
    expect(await consumer.close({ timeoutMs: 50 })).toBe(false);
    await aborted.opened;
  });

  it('gives its jobs to others while it rests, and takes some again afterwards', async () => {
    const queue = await open();
    const seen: Record<'tired' | 'fresh', string[]> = { tired: [], fresh: [] };
    await consume(queue, {
      'sync-path': async ({ path }, { rest }) => {
        seen.tired.push(path);
        rest(path === 'first.md' ? 700 : 0);
      },
    });
    await queue.add('sync-path', news('first.md'));
    await drained(queue);
    const { consumer } = await consume(queue, { 'sync-path': async ({ path }) => void seen.fresh.push(path) });
    // The resting one may have been about to take one more when it was told to rest.
    for (let i = 0; i < 5; i += 1) await queue.add('sync-path', news(`${i}.md`));
    await drained(queue);
    expect(seen.fresh.length).toBeGreaterThanOrEqual(4);
    await consumer.close({ timeoutMs: 2_000 });
    await queue.add('sync-path', news('last.md'));
    await vi.waitFor(() => expect(seen.tired).toContain('last.md'), WAIT);
  });

  it('drops what waits when it is cleared, and takes the same jobs again', async () => {
    const queue = await open();
    const hold = gate();
    const seen: string[] = [];
    await consume(queue, {
      'sync-path': async ({ path }) => {
        seen.push(path);
        await hold.opened;
      },
    });
    await queue.add('sync-path', news('in hand.md'));
    await vi.waitFor(() => expect(seen).toEqual(['in hand.md']), WAIT);
    for (const path of ['a.md', 'b.md']) await queue.add('sync-path', news(path));
    await queue.clear('index');
    expect((await queue.stats()).depth).toBe(1);
    await queue.add('sync-path', news('b.md'));
    hold.open();
    await drained(queue);
    expect(seen).toEqual(['in hand.md', 'b.md']);
  });

  it('tells what is being worked on and how far it has come, and nothing of it once it is done', async () => {
    const queue = await open();
    const hold = gate();
    const progress = { step: 'ocr', page: 3, pages: 12 } as const;
    await consume(queue, {
      'sync-path': async (_payload, { report }) => {
        report(progress);
        await hold.opened;
      },
    });
    await queue.add('sync-path', news('Scan.md'));
    await queue.add('sync-path', news('Waits.md'));
    const inHand = { name: 'sync-path', payload: news('Scan.md'), progress };
    await vi.waitFor(async () => expect(await queue.inHand('index')).toEqual([inHand]), WAIT);
    expect(await queue.inHand('extract')).toEqual([]);
    hold.open();
    await drained(queue);
    expect(await queue.inHand('index')).toEqual([]);
  });

  it('counts who consumes each queue', async () => {
    const queue = await open();
    expect((await queue.stats()).consumers).toEqual({ index: 0, extract: 0, embed: 0 });
    await consume(queue, {});
    const { consumer } = await consume(queue, {});
    await vi.waitFor(async () => {
      expect((await queue.stats()).consumers).toEqual({ index: 2, extract: 0, embed: 0 });
    }, WAIT);
    await consumer.close({ timeoutMs: 2_000 });
    await vi.waitFor(async () => expect((await queue.stats()).consumers?.index).toBe(1), WAIT);
  });

  it('names the call that caused a job which fails, and takes a job whose call has a strange name', async () => {
    const queue = await open();
    const seen: unknown[] = [];
    const { problems } = await consume(queue, {
      'sync-path': async (payload) => {
        seen.push(payload.request_id);
        throw new PermanentJobError('no');
      },
    });
    await queue.add('sync-path', { ...news('a.md'), request_id: 'req-1' });
    await queue.add('sync-path', { ...news('b.md'), request_id: 'x\n'.repeat(500) });
    await vi.waitFor(() => expect(problems).toHaveLength(2), WAIT);
    expect(seen).toEqual(['req-1', undefined]);
    expect(problems.map(({ job }) => job?.requestId)).toEqual(['req-1', undefined]);
  });

  it('refuses handlers that lack a job or name a foreign one', async () => {
    const queue = await open();
    const options = { concurrency: 1, onError: () => {} };
    const { reconcile: _left, ...lacking } = indexHandlers();
    await expect(queue.consume('index', lacking as HandlersFor<'index'>, options)).rejects.toThrow(
      'Queue "index" has no handler for: reconcile.',
    );
    const foreign = { ...indexHandlers(), 'embed-chunks': async () => {} };
    await expect(queue.consume('index', foreign, options)).rejects.toThrow('no such job: embed-chunks');
  });

  it('refuses adds after close, and says in its stats that it is closed', async () => {
    const queue = await open();
    await queue.close();
    await queue.close();
    await expect(queue.add('reconcile', {})).rejects.toThrow('The job queue is closed.');
    expect(await queue.stats()).toEqual({ ok: false, depth: 0, failed: 0, error: 'The job queue is closed.' });
  });
});
