import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIndexWriter } from '@vault-mcp/shared/index-db/writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axis, noteOf, sha256 } from '../../../../../test/support/index-records.ts';
import { clusterNotes } from './cluster-notes.ts';
import { type ClusterThreadOptions, clusterOnThread } from './cluster-thread.ts';

let folder: string;
let indexPath: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'clusters-'));
  indexPath = join(folder, 'index.db');
  const writer = openIndexWriter(indexPath);
  writer.embeddings.useSpace('s');
  for (const path of ['A/1.md', 'A/2.md', 'B/1.md', 'Wiki/a.md', 'Wiki/b.md']) writer.putFile(noteOf(path, ['same']));
  writer.putFile(noteOf('A/old.md', ['same'], { supersededBy: '[[A/1]]' }));
  writer.putFile(noteOf('A/waits.md', ['same', 'waits']));
  writer.putFile(noteOf('index.md', ['same']));
  writer.putFile(noteOf('A/other.md', ['other']));
  writer.embeddings.storeVectors(
    new Map([
      [sha256('same'), axis(0)],
      [sha256('other'), axis(1)],
    ]),
  );
  writer.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const task = () => ({ indexPath, ceiling: 0.1, excludeDirs: ['wiki'] });
const program = (source: string): ClusterThreadOptions => ({
  entry: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
});
const ENDLESS = 'setInterval(() => {}, 1000)';

describe('the notes of an index', () => {
  it('are grouped but for superseded ones, those without vector, the index page and those of folders left out', () => {
    expect(clusterNotes(task())).toEqual({
      compared: 4,
      clusters: [
        {
          namespace: 'A',
          diameter: 0,
          members: ['A/1.md', 'A/2.md'].map((path) => ({ path, title: path, etag: sha256('same') })),
        },
      ],
      crossNamespace: {
        total: 2,
        first: ['A/1.md', 'A/2.md'].map((a) => ({ a, b: 'B/1.md', distance: 0 })),
      },
      withoutVector: { total: 1, first: ['A/waits.md'] },
    });
  });

  it('are grouped on a thread as beside it', async () => {
    expect(await clusterOnThread(task())).toEqual(clusterNotes(task()));
  });

  it('are not ready where there is no index, also on the thread', async () => {
    const missing = { ...task(), indexPath: join(folder, 'none.db') };
    await expect(clusterOnThread(missing)).rejects.toMatchObject({ code: 'not_ready' });
  });
});

describe('the thread that groups notes', () => {
  it('is ended when it takes too long, or its caller leaves', async () => {
    const slow = clusterOnThread(task(), { ...program(ENDLESS), timeoutMs: 20 });
    await expect(slow).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('seconds') });
    const leaving = new AbortController();
    const left = clusterOnThread(task(), { ...program(ENDLESS), signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'locked' });
  });

  it('is ended when it takes too much memory, and says what to do', async () => {
    const greedy = 'const all = []; for (;;) all.push(Array.from({ length: 1000 }, () => ({ n: Math.random() })));';
    const greedyRun = clusterOnThread(task(), { ...program(greedy), maxMb: 16 });
    await expect(greedyRun).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/MiB.*lower the ceiling/),
    });
  }, 30_000);

  it('fails when it crashes, and leaves the next one be', async () => {
    await expect(clusterOnThread(task(), program('throw new Error("broken")'))).rejects.toThrow('broken');
    await expect(clusterOnThread(task(), program('process.exit(3)'))).rejects.toThrow('(3)');
    expect((await clusterOnThread(task())).compared).toBe(4);
  });
});
