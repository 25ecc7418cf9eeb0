/** Which notes a proposal is compared with, and what of them a caller is shown. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import { createAccess } from '@vault-mcp/shared/vault/access';
import { viewOf } from '@vault-mcp/shared/vault/view';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADA, CANDIDATE, type GateVault, gateVault, OTHERS, SCRIBE } from '../../../../test/support/gate-vault.ts';
import type { DoneAnswer } from '../memory/types.ts';
import type { MemoryContext } from './gate-ports.ts';
import { propose } from './propose.ts';

const TARGET = 'Facts/ada.md';

let vault: GateVault;
beforeEach(async () => {
  vault = await gateVault();
});
afterEach(() => vault.remove());

async function shownTo(context: MemoryContext, input = CANDIDATE) {
  const answer = await propose(context, input, SCRIBE);
  return answer.status === 'decide' ? answer : { similar: [], degraded: [], path: answer.path };
}

function seenBy(...rules: Parameters<typeof createAccess>[0]): MemoryContext {
  const view = viewOf(vault.context.vault, createAccess(rules));
  return { ...vault.context, vault: view, writer: vault.context.writerFor(view) };
}

/** The same with an index that finds nothing by words. */
function wordless(context: MemoryContext): MemoryContext {
  return { ...context, reader: withReads(context.reader, { lexicalCandidates: () => [] }) };
}

/** A reader that answers some reads otherwise. */
function withReads(reader: IndexReader, others: Partial<IndexReader>): IndexReader {
  const get = (target: IndexReader, name: keyof IndexReader) => {
    const own = others[name] ?? target[name];
    return typeof own === 'function' ? own.bind(target) : own;
  };
  return new Proxy(reader, { get: get as never });
}

async function indexed(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    vault.put(path, text);
    await vault.context.queue.add('sync-path', { path, source: 'news' });
  }
  await vault.indexed.settled();
}

describe('a note that the caller may not read', () => {
  test('is not shown, takes no place among those that are, and no name is withheld for it', async () => {
    await indexed(Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`Hidden/${n}.md`, ADA])));
    const context = seenBy({ prefix: '', read: true, write: true }, { prefix: 'Hidden', read: false, write: false });
    const { similar } = await shownTo(context);
    expect(similar.map(({ path }) => path)).toEqual([TARGET]);
    const none = await shownTo(seenBy({ prefix: 'New', read: true, write: true }), { ...CANDIDATE, namespace: 'New' });
    expect(none.similar).toEqual([]);
  });

  test('is not told of by a rank of words, which counts those of all notes', async () => {
    const context = seenBy({ prefix: '', read: true, write: true }, { prefix: 'Other', read: false, write: false });
    expect((await shownTo(context)).similar).toMatchObject([
      { path: TARGET, bm25: null, distance: expect.any(Number) },
    ]);
    expect((await vault.shown()).similar).toMatchObject([{ path: TARGET, bm25: expect.any(Number) }]);
  });

  test('is no reason that what others left half done stays so', async () => {
    await vault.shown();
    vault.pass(31 * 60_000);
    await propose(seenBy({ prefix: 'New', read: true, write: true }), { ...CANDIDATE, namespace: 'New' }, SCRIBE);
    expect((await vault.discards()).map(({ kind }) => kind)).toEqual(['expired']);
  });
});

describe('what is compared', () => {
  test('is no note that was superseded, however many there are', async () => {
    const old = ADA.replace('title:', 'superseded_by: "[[Facts/ada]]"\ntitle:');
    await indexed(Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`Old/${n}.md`, old])));
    expect((await vault.shown()).similar.map(({ path }) => path)).toEqual([TARGET]);
  });

  test.each(['[[Facts/ada]]', '["[[Facts/ada]]"]', '[Facts/ada.md]'])(
    'is no note that was superseded, wherever %s is read',
    async (form) => {
      const old = ADA.replace('title:', `superseded_by: ${form}\ntitle:`);
      await indexed({ 'Old/twin.md': old });
      const { reader } = vault.context;
      expect(reader.supersededRows().map(({ path }) => path)).toEqual(['Old/twin.md']);
      expect((await vault.shown()).similar.map(({ path }) => path)).toEqual([TARGET]);
      await indexed({ 'Old/twin.md': ADA });
      vault.put('Old/twin.md', old);
      const deaf = { ...vault.context.queue, add: () => Promise.reject(new Error('the queue is gone')) };
      expect((await shownTo({ ...vault.context, queue: deaf })).similar.map(({ path }) => path)).toEqual([TARGET]);
    },
  );

  test.each(['', '""', '[]'])('is a note whose superseded_by is empty, as templates leave it: %j', async (form) => {
    await indexed({ [TARGET]: ADA.replace('title:', `superseded_by: ${form}\ntitle:`) });
    expect((await vault.shown()).similar.map(({ path }) => path)).toEqual([TARGET]);
  });

  test('is no note that was superseded a moment ago, though the index has not heard of it', async () => {
    await indexed({ 'Far/away.md': ADA });
    vault.put('Far/away.md', ADA.replace('title:', 'superseded_by: "[[Facts/ada]]"\ntitle:'));
    expect((await vault.shown()).similar.map(({ path }) => path)).toEqual([TARGET]);
    const deaf = { ...vault.context.queue, add: () => Promise.reject(new Error('the queue is gone')) };
    expect((await shownTo({ ...vault.context, queue: deaf })).similar.map(({ path }) => path)).toEqual([TARGET]);
  });

  test('is the whole vault, but for folders that are kept out of the search, unless the note goes there', async () => {
    await indexed({ 'Logs/ada.md': ADA, 'Far/away.md': ADA });
    const config = { ...vault.context.config, search: { ...vault.context.config.search, exclude_dirs: ['Logs'] } };
    const context = { ...vault.context, config };
    const paths = async (namespace: string) =>
      (await shownTo(context, { ...CANDIDATE, namespace })).similar.map(({ path }) => path).sort();
    expect(await paths('Facts')).toEqual(['Facts/ada.md', 'Far/away.md']);
    expect(await paths('Logs/New')).toEqual(['Facts/ada.md', 'Far/away.md', 'Logs/ada.md']);
  });

  test('is at most five, the nearest first, of a long one its beginning', async () => {
    const long = `${ADA}\n${'She also knew music. '.repeat(400)}`;
    await indexed(Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`Near/${n}.md`, n === 6 ? long : ADA])));
    const { similar } = await vault.shown();
    expect(similar).toHaveLength(5);
    const distances = similar.map(({ distance }) => distance ?? 2);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    vault.put(TARGET, long);
    await indexed(
      Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`Near/${n}.md`, OTHERS['Other/bread.md'] as string])),
    );
    const [only] = (await vault.shown({ title: 'Ada again' })).similar;
    expect(only).toMatchObject({ path: TARGET, truncated: true });
    expect(only?.body.length).toBeLessThanOrEqual(4000);
  });

  test('is what stands on the disk, also where the index has not heard of it', async () => {
    const changed = ADA.replace('Charles Babbage.', 'Charles Babbage, in London.');
    await indexed({ 'Elsewhere/ada.md': ADA });
    vault.put('Elsewhere/ada.md', changed);
    const { similar, degraded } = await vault.shown();
    expect(similar.find(({ path }) => path === 'Elsewhere/ada.md')?.body).toContain('in London');
    expect(degraded).toEqual([]);
  });

  test('waits for no note that the gate wrote a moment ago and somebody took away since', async () => {
    const quince = { title: 'Quince', body: 'Quince jelly sets with pectin.' };
    const { path } = await vault.done(quince);
    await vault.indexed.settled();
    rmSync(join(vault.context.vault.root, path ?? ''));
    await vault.context.queue.add('sync-path', { path: path ?? '', source: 'news' });
    await vault.indexed.settled();
    const told: unknown[] = [];
    const queue = { ...vault.context.queue, add: async (...job: unknown[]) => void told.push(job) };
    expect((await shownTo({ ...vault.context, queue })).degraded).toEqual([]);
    expect(told).toEqual([]);
  });

  test('waits for no page that the index itself writes', async () => {
    vault.put('index.md', '# Index\n');
    const told: unknown[] = [];
    const queue = { ...vault.context.queue, add: async (...job: unknown[]) => void told.push(job) };
    await shownTo({ ...vault.context, queue }, { ...CANDIDATE, namespace: '' });
    expect(told).toEqual([]);
  });

  test('is said to be less than all when the index does not come after in time', async () => {
    vault.put('Facts/new.md', ADA);
    const deaf = { ...vault.context.queue, add: () => Promise.reject(new Error('the queue is gone')) };
    const { degraded } = await shownTo({ ...vault.context, queue: deaf });
    expect(degraded).toEqual(['index_behind']);
  });

  test('is found by words where no vector is like it, and by its vector where no word is', async () => {
    const { config } = vault.context;
    const only = (distance_ceiling: number, bm25_ceiling: number) => ({
      ...vault.context,
      config: { ...config, gate: { ...config.gate, distance_ceiling, bm25_ceiling } },
    });
    const [byWords] = (await shownTo(only(0, -4))).similar;
    const [byBoth] = (await shownTo(only(0.5, -4))).similar;
    expect(byWords).toMatchObject({ path: TARGET, bm25: expect.any(Number) });
    // How far it is stands there all the same.
    expect(byWords?.distance).toBeCloseTo(byBoth?.distance ?? 0, 5);
    expect((await shownTo(wordless(only(0.5, -4)))).similar).toMatchObject([
      { path: TARGET, distance: expect.any(Number), bm25: null },
    ]);
    expect((await shownTo(wordless(only(0, -4)))).similar).toEqual([]);
  });

  test('is found by words beyond the ceiling where they are half of what it would answer itself', async () => {
    const { config } = vault.context;
    const gate = { ...config.gate, distance_ceiling: 0, bm25_ceiling: -1e9 };
    const context = { ...vault.context, config: { ...config, gate } };
    expect((await shownTo(context)).similar).toMatchObject([{ path: TARGET, bm25: expect.any(Number) }]);
    const other = {
      ...CANDIDATE,
      title: 'Ada Lovelace in London',
      body: 'Ada Lovelace lived near St James, and rode.',
    };
    expect((await shownTo(context, other)).similar).toEqual([]);
    const all = { ...context, config: { ...config, gate: { ...gate, bm25_ceiling: 0 } } };
    expect((await shownTo(all, other)).similar.map(({ path }) => path)).toContain(TARGET);
  });
});

describe('a note that was proposed a moment ago', () => {
  /** The index as it is while a note is in it without its vector: until it was asked so many times whether one is pending. */
  function withLateVectors(path: string, asks: number, pending = 1): MemoryContext {
    let left = asks;
    const { reader } = vault.context;
    const late: Partial<IndexReader> = {
      vectorsPending: (readable) => (readable === null && left-- > 0 ? pending : reader.vectorsPending(readable)),
      nearestNotes: (...args) => reader.nearestNotes(...args).filter((note) => left < 0 || note.path !== path),
      // By meaning alone.
      lexicalCandidates: () => [],
    };
    return { ...vault.context, reader: withReads(reader, late) };
  }

  async function proposedJustNow(): Promise<string> {
    await vault.remove();
    vault = await gateVault(OTHERS);
    const { path } = await vault.done();
    await vault.indexed.settled();
    return path ?? '';
  }

  test('is waited for until it has its vectors, and compared by its meaning', async () => {
    const path = await proposedJustNow();
    const { similar, degraded } = await shownTo(withLateVectors(path, 3), { ...CANDIDATE, title: 'Ada again' });
    expect(similar).toMatchObject([{ path, distance: expect.any(Number), bm25: null }]);
    expect(degraded).toEqual([]);
  });

  test('is not waited for too long, and the answer says that it may be missing', async () => {
    const path = await proposedJustNow();
    const answer = await propose(withLateVectors(path, 10_000), { ...CANDIDATE, title: 'Ada again' }, SCRIBE);
    expect(answer).toMatchObject({ status: 'done', action: 'create' });
    expect((answer as DoneAnswer).remarks).toEqual([expect.stringMatching(/may be missing: .* no vectors yet/)]);
  });

  test('is not waited for where there are many like it', async () => {
    const path = await proposedJustNow();
    const answer = await propose(withLateVectors(path, 2, 1_000), { ...CANDIDATE, title: 'Ada again' }, SCRIBE);
    expect(answer).toMatchObject({ status: 'done', remarks: [expect.stringMatching(/no vectors yet/)] });
  });

  test('is not waited for where it could not be embedded and is tried again later, which the answer says', async () => {
    const path = await proposedJustNow();
    const { reader, ...context } = withLateVectors(path, 10_000);
    let asked = 0;
    const until: number[] = [];
    const postponing = new Proxy(reader, {
      get(target, name: keyof typeof reader) {
        if (name === 'vectorsPending') asked++;
        if (name === 'vectorsPostponed') return (_rules: unknown, untilMs: number) => until.push(untilMs);
        return target[name];
      },
    });
    const answer = await propose({ ...context, reader: postponing }, { ...CANDIDATE, title: 'Ada again' }, SCRIBE);
    expect(answer).toMatchObject({ status: 'done', remarks: [expect.stringMatching(/no vectors yet/)] });
    expect(asked).toBe(1);
    expect(until).toEqual([context.now().getTime() + 2_000]);
  });

  test('is not waited for by whom may not read it', async () => {
    const path = await proposedJustNow();
    const context = withLateVectors(path, 10_000);
    const view = viewOf(context.vault, createAccess([{ prefix: 'New', read: true, write: true }]));
    const seen = { ...context, vault: view, writer: context.writerFor(view) };
    const answer = await propose(seen, { ...CANDIDATE, namespace: 'New' }, SCRIBE);
    expect(answer).toMatchObject({ status: 'done', action: 'create' });
    expect(answer).not.toHaveProperty('remarks');
  });
});
