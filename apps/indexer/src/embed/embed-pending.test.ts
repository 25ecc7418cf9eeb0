import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexWriter, openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { createLogger, silentLogger } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import { type JobQueue, QueueAwayError } from '@vault-mcp/shared/queue/producer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { axis, noteOf } from '../../../../test/support/index-records.ts';
import { type ContentCache, openCache } from '../cache/cache.ts';
import { createEmbedPending, type EmbedPending } from './embed-pending.ts';
import { encodeVector } from './vector-codec.ts';

type EmbedJob = JobPayload<'embed-chunks'>;

let folder: string;
let writer: IndexWriter;
let cache: ContentCache;
let jobs: EmbedJob[];
let refusal: Error | null;
let lines: { level: number; err?: unknown }[];
let workers: number;
let now: number;
let pending: EmbedPending;
let errors: unknown[];

const producer: Pick<JobQueue, 'add' | 'stats' | 'clear'> = {
  async add(_name, payload) {
    if (refusal) throw refusal;
    jobs.push(payload as EmbedJob);
  },
  // Answered jobs stay in the list: what counts is whether there are any.
  stats: async () => ({
    ok: true,
    depth: jobs.length,
    failed: 0,
    consumers: { index: 1, extract: 0, embed: workers },
    error: null,
  }),
  async clear() {
    jobs.length = 0;
  },
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embed-pending-'));
  writer = openIndexWriter(join(folder, 'index.db'));
  writer.embeddings.useSpace('space');
  cache = openCache(join(folder, 'cache.db'), silentLogger());
  jobs = [];
  errors = [];
  refusal = null;
  lines = [];
  workers = 1;
  now = 1_000_000;
  pending = createEmbedPending({
    ...{ writer, cache, producer },
    logger: createLogger({
      name: 'test',
      level: 'debug',
      destination: { write: (line) => lines.push(JSON.parse(line)) },
    }),
    space: 'space',
    dims: 4,
    batchSize: 2,
    batchCharacters: 1000,
    retrySeconds: 30,
    onError: (error) => errors.push(error),
    now: () => now,
  });
});
afterEach(() => {
  pending.stop();
  writer.close();
  cache.close();
  rmSync(folder, { recursive: true, force: true });
});

function notes(count: number): void {
  for (let i = 0; i < count; i++) writer.putFile(noteOf(`n${i}.md`, [`text ${i}`]));
}

function answer(job: EmbedJob): JobPayload<'store-vectors'> {
  return { space: job.space, vectors: job.items.map(({ key }) => ({ key, vector: encodeVector(axis(0)) })) };
}

/** Texts, and calls that were answered and that were not. */
function counted(): [number, number, number] {
  const { texts, calls } = pending.figures();
  const callsOf = ({ counts }: { counts: readonly number[] }) => counts.reduce((all, one) => all + one, 0);
  return [texts, callsOf(calls.ok), callsOf(calls.failed)];
}

function waiting(): number {
  return writer.embeddings.pending(1000, Number.MAX_SAFE_INTEGER, new Set()).length;
}

describe('what waits for a vector', () => {
  it('is handed to the lane in batches, each content once, and no more than the lane can hold', async () => {
    notes(40);
    await pending.kick();
    await pending.kick();
    expect(jobs).toHaveLength(8);
    const keys = jobs.flatMap((job) => job.items.map(({ key }) => key));
    expect(new Set(keys).size).toBe(16);
  });

  it('is all embedded when every job is answered', async () => {
    notes(40);
    await pending.kick();
    for (let at = 0; at < jobs.length; at++) await pending.store(answer(jobs[at] as EmbedJob));
    expect(waiting()).toBe(0);
    expect(jobs).toHaveLength(20);
  });

  it('takes what the cache has without asking the embedder', async () => {
    notes(3);
    await pending.kick();
    for (const job of [...jobs]) await pending.store(answer(job));
    writer.wipe();
    writer.embeddings.useSpace('space');
    jobs.length = 0;
    notes(3);
    await pending.kick();
    expect(waiting()).toBe(0);
    expect(jobs).toEqual([]);
  });

  it('fails for good only the texts that were refused', async () => {
    notes(2);
    await pending.kick();
    const [good, bad] = (jobs[0] as EmbedJob).items;
    await pending.store({
      space: 'space',
      vectors: [
        { key: good?.key ?? '', vector: encodeVector(axis(1)) },
        { key: bad?.key ?? '', error: 'too odd' },
      ],
    });
    expect(waiting()).toBe(0);
    expect(writer.embeddings.retryFailed()).toBe(1);
  });

  it('fails a text whose vector is unusable, with the reason, and stores and counts the rest', async () => {
    notes(2);
    await pending.kick();
    const items = (jobs[0] as EmbedJob).items;
    await pending.store({
      ...{ space: 'space', seconds: 1 },
      vectors: items.map(({ key }, at) => ({ key, vector: encodeVector(at === 0 ? new Float32Array(4) : axis(1)) })),
    });
    expect(counted()).toEqual([1, 1, 0]);
    expect(writer.embeddings.retryFailed()).toBe(1);
  });

  it('waits for a dead embedder, asks with one job at a time, and goes on in full once it answers', async () => {
    notes(40);
    await pending.kick();
    for (const job of [...jobs]) {
      await pending.store({ space: 'space', vectors: job.items.map(({ key }) => ({ key, retry: 'nobody answers' })) });
    }
    expect(jobs).toHaveLength(8);
    jobs.length = 0;
    now += 31_000;
    await pending.kick();
    expect(jobs).toHaveLength(1);
    for (let at = 0; at < jobs.length; at++) await pending.store(answer(jobs[at] as EmbedJob));
    expect(waiting()).toBe(0);
  });

  it('is handed out in more jobs when there are more workers', async () => {
    notes(100);
    await pending.kick();
    expect(jobs).toHaveLength(8);
    workers = 5;
    now += 5000;
    await pending.kick();
    expect(jobs).toHaveLength(30);
  });

  it('is offered to the others, in full and soon, when a worker embeds in another space', async () => {
    notes(40);
    await pending.kick();
    const [refused, ...others] = [...jobs];
    const vectors = (refused as EmbedJob).items.map(({ key }) => ({ key, retry: 'set EMBED_MODEL there' }));
    await pending.store({ space: 'space', misfit: true, vectors });
    expect(pending.problem()).toBe('set EMBED_MODEL there');
    expect(jobs).toHaveLength(9);
    for (const job of others) await pending.store(answer(job));
    for (let at = 8; at < jobs.length; at++) await pending.store(answer(jobs[at] as EmbedJob));
    expect(waiting()).toBe(2);
    now += 3000;
    await pending.kick();
    await pending.store(answer(jobs.at(-1) as EmbedJob));
    expect(waiting()).toBe(0);
    now += 60_000;
    expect(pending.problem()).toBeNull();
  });

  it('says why nothing comes back, until something does', async () => {
    notes(4);
    await pending.kick();
    const [first, second] = jobs as [EmbedJob, EmbedJob];
    expect(pending.isWaiting()).toBe(true);
    const retry = first.items.map(({ key }) => ({ key, retry: 'nobody answers' }));
    await pending.store({ space: 'space', vectors: retry, seconds: 1 });
    expect([pending.problem(), counted()]).toEqual(['nobody answers', [0, 0, 1]]);
    await pending.store(answer(second));
    expect(pending.problem()).toBeNull();
    await pending.store(answer(jobs.at(-1) as EmbedJob));
    expect(pending.isWaiting()).toBe(false);
  });

  it('is asked for again when the queue lost it', async () => {
    notes(2);
    await pending.kick();
    jobs.length = 0;
    await pending.kick();
    expect(jobs).toEqual([]);
    await pending.restart();
    expect(jobs).toHaveLength(1);
  });

  it('is never lost between a lane that is cleared and one that is filled', async () => {
    notes(4);
    const handing = pending.kick();
    const restarting = pending.restart();
    await Promise.all([handing, restarting]);
    await pending.kick();
    expect(jobs.flatMap((job) => job.items)).toHaveLength(4);
  });

  it('is asked for again when the queue turns out to be empty', async () => {
    notes(2);
    await pending.kick();
    jobs.length = 0;
    now += 4000;
    await pending.kick();
    expect(jobs).toHaveLength(1);
  });

  it('is asked for again when its worker never came back', async () => {
    notes(2);
    await pending.kick();
    now += 16 * 60_000;
    await pending.kick();
    expect(jobs).toHaveLength(2);
  });

  it('stays waiting while the queue is away', async () => {
    notes(2);
    refusal = new QueueAwayError('Redis takes no jobs.');
    await pending.kick();
    expect(jobs).toEqual([]);
    expect(lines).toMatchObject([{ level: 20, reason: 'Redis takes no jobs.' }]);
    refusal = null;
    await pending.kick();
    expect(jobs).toHaveLength(1);
  });

  it('stays waiting as well when a job cannot be made of it, which is said as the defect that it is', async () => {
    notes(2);
    refusal = new TypeError('no such thing');
    await pending.kick();
    expect(lines).toMatchObject([{ level: 50, err: { message: 'no such thing' } }]);
    expect(waiting()).toBe(2);
  });

  it('does not take or count vectors of another space', async () => {
    notes(2);
    await pending.kick();
    await pending.store({ ...answer(jobs[0] as EmbedJob), space: 'other', seconds: 1 });
    expect([waiting(), counted()]).toEqual([2, [0, 0, 0]]);
  });

  it('is counted once when it could be stored only at another attempt', async () => {
    notes(2);
    await pending.kick();
    const result = { ...answer(jobs[0] as EmbedJob), seconds: 1 };
    const store = vi.spyOn(writer.embeddings, 'storeVectors').mockImplementation(() => {
      throw new Error('disk is full');
    });
    await expect(pending.store(result)).rejects.toThrow('disk is full');
    expect(counted()).toEqual([0, 0, 0]);
    store.mockRestore();
    await pending.store(result);
    expect(counted()).toEqual([2, 1, 0]);
  });

  it('is cut into jobs by characters as well', async () => {
    writer.putFile(noteOf('long.md', ['a'.repeat(900), 'b'.repeat(900)]));
    await pending.kick();
    expect(jobs.map((job) => job.items.length)).toEqual([1, 1]);
  });
});
