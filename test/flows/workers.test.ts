/**
 * More machines: processes that write the index, and processes that only work for it, on one real Redis. What is proven:
 * an embed worker needs no folder, nothing is lost with one that is killed, and there is never a second writer. Those that
 * extract stand in extract-workers.test.ts.
 */
import { hostname } from 'node:os';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { type IndexerProcesses, indexerProcesses } from '../support/indexer-processes.ts';

const NOTES = 60;
const notes = Object.fromEntries(
  Array.from({ length: NOTES }, (_, i) => [`Notes/n${i}.md`, `# Note ${i}\n\nA sentence about subject-${i}.\n`]),
);
/** With a character that a URL spells otherwise. */
const PASSWORD = 'sw0rdfish%x';
const WRITER = { INDEXER_ROLES: 'watch,write' };

let all: IndexerProcesses;
afterEach(() => all?.close());

const counts = (data?: string) => all.read((reader) => reader.counts(), data);
const embedder = () => all.read((reader) => reader.indexerStatus()?.embedder);
const textIsIn = () => all.until(() => counts()?.chunks === NOTES, 'the text of all notes');
const allEmbedded = () => all.until(() => counts()?.embedded === NOTES, 'all vectors');

describe('processes with the embed role alone', { timeout: 180_000 }, () => {
  it('make the vectors for a writer that leaves them to others, with no vault and no data folder', async () => {
    all = await indexerProcesses(notes);
    all.startWriter(WRITER);
    await textIsIn();
    await all.until(() => embedder()?.ok === false, 'the writer to miss somebody who embeds');
    expect(embedder()?.error).toContain('INDEXER_ROLES=embed');
    expect(counts()).toMatchObject({ embedded: 0, pending: NOTES });
    expect(all.ollama.requests).toEqual([]);

    const worker = all.startWorker('embed');
    await allEmbedded();
    await all.until(() => embedder()?.ok === true, 'the writer to be content');
    // The writer counts what others do, since the api reads its report alone.
    const figures = () => all.read((reader) => reader.indexerStatus()?.embedding);
    await all.until(() => figures()?.texts === NOTES, 'the writer to report what the worker did');
    expect(figures()?.calls.ok.sum).toBeGreaterThan(0);
    await worker.kill('SIGTERM');
    expect(worker.child.exitCode).toBe(0);
  });

  it('share the work with a writer that embeds too', async () => {
    all = await indexerProcesses({});
    all.ollama.delayMs = 100;
    all.startWriter({ EMBED_API_KEY: 'writer' });
    all.startWorker('embed', { EMBED_API_KEY: 'worker' });
    await all.until(
      () => all.read((reader) => reader.indexerStatus()?.queue.consumers?.embed) === 2,
      'both to be there',
    );
    for (const [path, content] of Object.entries(notes)) await all.put(path, content);
    await allEmbedded();
    const keys = all.ollama.requests.map(({ headers }) => headers.authorization);
    expect(new Set(keys)).toEqual(new Set(['Bearer writer', 'Bearer worker']));
  });

  it('lose nothing when one is killed in the middle of its batches', async () => {
    all = await indexerProcesses(notes);
    all.ollama.misbehave = (_texts, earlier) => (earlier < 2 ? { kind: 'hang' } : null);
    all.startWriter(WRITER);
    await textIsIn();
    const doomed = all.startWorker('embed');
    await all.until(() => all.ollama.requests.length === 2, 'two batches in hand');
    await doomed.kill('SIGKILL');
    expect(counts()?.embedded).toBe(0);
    all.startWorker('embed');
    await allEmbedded();
    expect(counts()).toMatchObject({ embedded: NOTES, pending: 0, failed: 0 });
  });

  it('give what they have in hand back when they are stopped', async () => {
    all = await indexerProcesses(notes);
    all.ollama.misbehave = (_texts, earlier) => (earlier < 2 ? { kind: 'hang' } : null);
    all.startWriter(WRITER);
    const leaving = all.startWorker('embed');
    await all.until(() => all.ollama.requests.length === 2, 'two batches in hand');
    await leaving.kill('SIGTERM');
    expect(leaving.child.exitCode).toBe(0);
    all.startWorker('embed');
    await allEmbedded();
  });

  it('stop when they are asked to with no Redis to be reached', async () => {
    all = await indexerProcesses({});
    await all.redis.kill();
    const worker = all.startWorker('embed');
    await all.until(() => worker.log().includes('Redis cannot be reached'), 'the worker to look for Redis');
    worker.child.kill('SIGTERM');
    expect(await worker.ended()).toBe(0);
  });

  it('store nothing when they embed in another space, say so, and leave the work to those that fit', async () => {
    all = await indexerProcesses(notes);
    all.startWriter(WRITER);
    await textIsIn();
    const stranger = all.startWorker('embed', { EMBED_MODEL: 'all-minilm' });
    await all.until(() => embedder()?.error?.includes('all-minilm') ?? false, 'the writer to name the stranger');
    expect(embedder()).toMatchObject({ ok: false, error: expect.stringContaining('EMBED_MODEL') });
    expect(stranger.log()).toContain('all-minilm');
    expect(counts()).toMatchObject({ embedded: 0, failed: 0 });

    all.startWorker('embed');
    await allEmbedded();
    expect(stranger.child.exitCode).toBeNull();
    expect(new Set(all.ollama.requests.map(({ model }) => model))).toEqual(new Set(['nomic-embed-text']));
  });

  it('hold a password for Redis back from every log line', async () => {
    all = await indexerProcesses(notes);
    const administrator = new Redis(all.redis.url);
    await administrator.config('SET', 'requirepass', PASSWORD);
    administrator.disconnect();
    const withPassword = all.redis.url.replace('//', `//:${encodeURIComponent(PASSWORD)}@`);
    const logs = { LOG_LEVEL: 'trace' };
    const writer = all.startWriter({ ...WRITER, ...logs, REDIS_URL: withPassword });
    const worker = all.startWorker('embed', { ...logs, REDIS_URL: withPassword });
    await allEmbedded();
    const wrong = all.startWorker('embed', { ...logs, REDIS_URL: all.redis.url.replace('//', '//:w0rng@') });
    await all.until(() => wrong.log().includes('WRONGPASS'), 'the refusal');
    expect(writer.log() + worker.log()).not.toContain('sw0rdfish');
    expect(wrong.log()).not.toContain('w0rng');
  });
});

describe('the process that writes', { timeout: 180_000 }, () => {
  it('refuses to start beside another on the same Redis, and names it, whatever its data folder', async () => {
    all = await indexerProcesses(notes);
    const first = all.startWriter(WRITER);
    await textIsIn();
    const second = all.startWriter(WRITER, 'other');
    expect(await second.ended()).toBe(3);
    expect(second.log()).toContain(`process ${first.child.pid} on ${hostname()}, since 20`);
    expect(first.child.exitCode).toBeNull();

    const third = all.startWriter({ ...WRITER, QUEUE_PREFIX: 'another-vault' }, 'third');
    await all.until(() => counts('third')?.chunks === NOTES, 'a writer of another vault');
    expect(third.child.exitCode).toBeNull();
  });

  it('goes on at once after a kill in its own folder', async () => {
    all = await indexerProcesses(notes);
    const first = all.startWriter();
    await allEmbedded();
    await first.kill('SIGKILL');
    await all.put('Late.md', 'Written while nobody watched.\n');
    const second = all.startWriter();
    await all.until(() => counts()?.notes === NOTES + 1, 'the late note');
    expect(second.log()).toContain('taking over');
    expect(second.log()).not.toContain('waiting whether');
  });

  it('waits for the lease of one that was killed on another machine, and then takes its place', async () => {
    all = await indexerProcesses(notes);
    const first = all.startWriter(WRITER);
    await textIsIn();
    await first.kill('SIGKILL');
    const second = all.startWriter(WRITER, 'other');
    await all.until(() => counts('other')?.chunks === NOTES, 'the new writer');
    expect(second.log()).toContain('waiting whether');
    expect(second.child.exitCode).toBeNull();
  });

  it('leaves the lease free when it is stopped', async () => {
    all = await indexerProcesses(notes);
    const first = all.startWriter(WRITER);
    await textIsIn();
    await first.kill('SIGTERM');
    const second = all.startWriter(WRITER, 'other');
    await all.until(() => counts('other')?.chunks === NOTES, 'the new writer');
    expect(second.log()).not.toContain('waiting whether');
  });

  it('goes on while Redis is away, and stops when another has taken its place meanwhile', async () => {
    all = await indexerProcesses(notes);
    const first = all.startWriter();
    await allEmbedded();
    await all.redis.kill();
    const rival = all.startWriter({}, 'other');
    await all.until(() => counts('other')?.chunks === undefined || rival.log().includes('Redis is away'), 'both');
    expect(first.child.exitCode).toBeNull();
    await all.redis.restart();
    const codes = Promise.race([first.ended(), rival.ended()]);
    expect(await codes).toBe(3);
    const [stopped, left] = first.child.exitCode === null ? [rival, first] : [first, rival];
    expect(stopped.log()).toContain(`process ${left.child.pid}`);
    expect(left.child.exitCode).toBeNull();
  });
});

describe('roles', { timeout: 60_000 }, () => {
  it.each([
    ['watch', 'watch without write'],
    ['write,embed', 'write without watch'],
    ['embed,dance', 'must be one of watch, write, extract, embed'],
    ['', 'must name at least one'],
  ])('of %j are refused, naming what there is', async (roles, reason) => {
    all = await indexerProcesses({});
    const program = all.start({ INDEXER_ROLES: roles });
    expect(await program.ended()).toBe(2);
    expect(program.log()).toContain(reason);
  });

  it('to extract need the vault, and say so', async () => {
    all = await indexerProcesses({});
    const program = all.startWorker('extract', { VAULT_PATH: '/nowhere/vault' });
    expect(await program.ended()).toBe(2);
    expect(program.log()).toContain('/nowhere/vault');
  });
});
