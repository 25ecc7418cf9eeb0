import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { describe, expect, it } from 'vitest';
import { consolidationSuite, FILES, MERGE, NAMES } from '../../../../test/support/consolidation-suite.ts';
import { saysJson } from '../../../../test/support/fake-chat.ts';

const suite = consolidationSuite();

describe('a chat model', () => {
  it('is asked about so many clusters, after the merges that were sent, and what it says is written', async () => {
    suite.server.reply = () => saysJson({ title: 'Apples keep', body: 'In straw.' });
    const answer = await suite.run({ write: true, cap: 1, merges: [MERGE] }, suite.asked());
    expect(answer.clusters.map(({ path }) => path)).toEqual(['House/apples-keep.md', 'House/boiler-2.md']);
    expect([answer.merger_calls, answer.remaining]).toEqual([1, 0]);
    expect(await suite.dataOf('House/apples.md')).toMatchObject({ superseded_by: '[[House/apples-keep]]' });
  });

  it('whose answer is of no use ends its cluster and not the run', async () => {
    suite.server.reply = (_asked, earlier) =>
      earlier < 2 ? { kind: 'says', content: 'no' } : saysJson({ title: 'Boiler', body: 'Serviced.' });
    const answer = await suite.run({ write: true }, suite.asked());
    expect(answer.errors).toEqual([
      {
        code: 'merger_malformed',
        message: expect.any(String),
        members: ['House/apples too.md', 'House/apples.md'],
      },
    ]);
    expect(answer.clusters[1]).toMatchObject({ path: 'House/boiler-2.md' });
    expect([answer.merger_calls, answer.remaining, answer.reindex]).toEqual([2, 1, 'queued']);
  });

  it('is not waited for under a lock: a note that changes meanwhile is left as it is', async () => {
    suite.server.reply = (_asked, earlier) => {
      if (earlier === 1) suite.vault.put(NAMES[0] ?? '', 'Changed meanwhile.\n');
      return saysJson({ title: earlier === 0 ? 'Apples keep' : 'Boiler', body: 'Merged.' });
    };
    const answer = await suite.run({ write: true }, suite.asked());
    expect(answer.unmarked).toEqual([{ path: NAMES[0], reason: expect.stringContaining('changed') }]);
    expect((await suite.vault.everything())[NAMES[0] ?? '']).toBe('Changed meanwhile.\n');
    expect(await suite.dataOf('House/boiler-2.md')).toMatchObject({
      supersedes: ['[[House/boiler once more]]', '[[House/boiler]]'],
    });
  });
});

describe('a cluster whose sent merge is not made', () => {
  const stale = '0'.repeat(64);
  const APPLES = ['House/apples too.md', 'House/apples.md'];

  it.each([
    ['its notes were edited since', [NAMES[0] ?? '', ...NAMES.slice(1).map((path) => ({ path, etag: stale }))]],
    ['all of them were', NAMES.map((path) => ({ path, etag: stale }))],
    ['one of its notes was named twice', [NAMES[0] ?? '', NAMES[0] ?? '']],
  ])('is not merged by a chat model either, where %s', async (_why, members) => {
    suite.server.reply = () => saysJson({ title: 'Apples keep', body: 'In straw.' });
    const answer = await suite.run({ write: true, merges: [{ ...MERGE, members }] }, suite.asked());
    expect(answer.clusters.map(({ path }) => path)).toEqual(['House/apples-keep.md', undefined]);
    expect([answer.merger_calls, answer.remaining, answer.errors.length]).toEqual([1, 1, 1]);
    const all = await suite.vault.everything();
    for (const path of NAMES) expect(all[path]).toBe(FILES[path as keyof typeof FILES]);
  });

  it('is not where the merge was of two clusters: neither is', async () => {
    const before = await suite.vault.everything();
    const members = [APPLES[0] ?? '', NAMES[0] ?? ''];
    const answer = await suite.run({ write: true, merges: [{ ...MERGE, members }] }, suite.asked());
    expect([answer.merger_calls, answer.errors]).toMatchObject([0, [{ code: 'invalid_value' }]]);
    expect(await suite.vault.everything()).toEqual(before);
  });

  it('is not where a note of it was left out of the merge of another cluster', async () => {
    const before = await suite.vault.everything();
    const [path = ''] = APPLES;
    const answer = await suite.run(
      { write: true, merges: [{ ...MERGE, members: [...NAMES, { path, etag: stale }] }] },
      suite.asked(),
    );
    expect(answer.clusters.map((cluster) => cluster.path)).toEqual([undefined, 'House/boiler-2.md']);
    expect([answer.merger_calls, answer.unmarked]).toMatchObject([0, [{ path }]]);
    expect((await suite.vault.everything())[path]).toBe(before[path]);
  });
});

describe('notes that are too long together', () => {
  it('are not shown to the model, and count as no call', async () => {
    const long = Array.from({ length: 900 }, () => 'apples keep').join(' ');
    for (const path of ['House/apples.md', 'House/apples too.md']) suite.vault.put(path, `${long}\n`);
    await suite.vault.indexed.composed.indexer.build().run({ rebuild: false });
    await suite.vault.indexed.settled();
    suite.server.reply = () => saysJson({ title: 'Boiler', body: 'Serviced.' });
    const answer = await suite.run({ cap: 1 }, suite.asked());
    expect(answer.clusters[0]?.error).toMatchObject({ code: 'too_long' });
    expect(answer.clusters[1]?.proposed).toEqual({ title: 'Boiler', body: 'Serviced.' });
    expect([answer.merger_calls, suite.server.asked.length]).toEqual([1, 1]);
  });
});

describe('notes that change while a chat model is asked', () => {
  it('are not merged where fewer than two are left: nothing is written', async () => {
    suite.server.reply = (_asked, earlier) => {
      // When it has been shown them, as the second cluster.
      if (earlier === 1) for (const path of NAMES.slice(1)) suite.vault.put(path, 'Changed meanwhile.\n');
      return saysJson({ title: 'Merged', body: 'Merged.' });
    };
    const answer = await suite.run({ write: true }, suite.asked());
    expect(answer.errors).toEqual([{ code: 'members_changed', message: expect.any(String), members: NAMES }]);
    expect(answer.unmarked.map(({ path }) => path)).toEqual(NAMES.slice(1));
    const all = await suite.vault.everything();
    expect(Object.keys(all).filter((path) => path.includes('erged'))).toEqual(['House/merged.md']);
    expect(parseFrontmatter(all['House/merged.md'] ?? '').data.supersedes).toEqual([
      ...['[[House/apples too]]', '[[House/apples]]'],
    ]);
    expect(all[NAMES[0] ?? '']).toBe(FILES['House/boiler again.md']);
    expect(suite.vault.context.proposals.counts().unsettled).toBe(0);
  });
});
