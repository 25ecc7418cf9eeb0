import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { describe, expect, it } from 'vitest';
import { CEILING, consolidationSuite, FILES, MERGE, NAMES } from '../../../../test/support/consolidation-suite.ts';
import { saysJson } from '../../../../test/support/fake-chat.ts';
import { STAMP } from '../../../../test/support/writing-context.ts';

const suite = consolidationSuite();
const textsShown = () =>
  suite.server.asked.map(({ body }) => JSON.parse(body.messages?.[1]?.content ?? '') as { notes: { path: string }[] });

describe('looking for notes that could be one', () => {
  it('tells the clusters of each folder, what else was met, and changes nothing', async () => {
    const before = await suite.vault.everything();
    const answer = await suite.run();
    expect(answer.clusters.map(({ namespace, members }) => [namespace, members.map(({ path }) => path)])).toEqual([
      ['House', ['House/apples too.md', 'House/apples.md']],
      ['House', NAMES],
    ]);
    const { clusters, cross_namespace: cross, ...rest } = answer;
    expect(clusters[1]?.members[0]?.etag).toBe(suite.vault.context.reader.fileByPath(NAMES[0] ?? '')?.sha256);
    expect(clusters[1]?.diameter).toBeLessThanOrEqual(CEILING);
    expect([cross.total, cross.first.every(({ a, b }) => [a, b].includes('Other/boiler.md'))]).toEqual([3, true]);
    expect(rest).toEqual({
      ...{ dry_run: true, ceiling: CEILING, cap: 5, compared: 7, superseded: 1, merger_calls: 0, remaining: 2 },
      ...{ without_vector: { total: 0, first: [] }, unmarked: [], errors: [], degraded: [] },
      ...{ reindex: null, index_error: null },
    });
    expect(await suite.vault.everything()).toEqual(before);
  });

  it('shows what a chat model would make of the first of them, and where', async () => {
    const before = await suite.vault.everything();
    suite.server.reply = () => saysJson({ title: 'Of apples', body: 'They keep.' });
    const answer = await suite.run({ cap: 1 }, suite.asked());
    expect(answer.clusters.map(({ proposed, path }) => [proposed?.title, path])).toEqual([
      ['Of apples', 'House/of-apples.md'],
      [undefined, undefined],
    ]);
    expect([answer.merger_calls, answer.remaining, answer.dry_run]).toEqual([1, 2, true]);
    expect(textsShown()[0]?.notes.map(({ path }) => path)).toEqual(['House/apples too.md', 'House/apples.md']);
    expect(await suite.vault.everything()).toEqual(before);
  });
});

describe('a merge that is sent', () => {
  it('becomes a note that stands for those it was made of, each of which leads to it, and nothing is deleted', async () => {
    const before = await suite.vault.everything();
    const answer = await suite.run({ write: true, merges: [MERGE] });
    expect(answer).toMatchObject({ dry_run: false, merger_calls: 0, remaining: 1, unmarked: [], errors: [] });
    expect(answer.clusters[1]).toMatchObject({ path: 'House/boiler-2.md', proposed: { title: 'Boiler' } });
    const { data } = parseFrontmatter((await suite.vault.everything())['House/boiler-2.md'] ?? '');
    expect(data).toEqual({
      ...{ type: 'fact', title: 'Boiler', tags: ['heating', 'house'], timestamp: expect.anything() },
      supersedes: ['[[House/boiler again]]', '[[House/boiler once more]]', '[[House/boiler]]'],
    });
    for (const path of NAMES) {
      expect(await suite.dataOf(path)).toMatchObject({ superseded_by: '[[House/boiler-2]]' });
      expect((await suite.vault.everything())[path]).toContain('The boiler in the cellar');
    }
    expect(Object.keys(await suite.vault.everything()).filter((path) => !(path in before))).toEqual([
      'House/boiler-2.md',
    ]);
    expect((await suite.vault.everything())['House/boiler-2.md']).toContain(STAMP);
    expect(suite.vault.context.proposals.counts()).toEqual({ open: 0, unsettled: 0, damaged: 0 });
  });

  it('is followed by a look at every file, and is no cluster any more', async () => {
    expect(await suite.run({ write: true, merges: [MERGE] })).toMatchObject({ reindex: 'queued', index_error: null });
    await suite.vault.indexed.settled();
    const { clusters, superseded } = await suite.run();
    expect([clusters.map(({ members }) => members.length), superseded]).toEqual([[2], 4]);
  });

  it('takes in a note whose superseded_by is empty, as templates leave it', async () => {
    const [path = ''] = NAMES;
    await suite.edit(path, FILES['House/boiler again.md'].replace('type: fact', 'type: fact\nsuperseded_by:'));
    expect(await suite.run({ write: true, merges: [MERGE] })).toMatchObject({ unmarked: [], errors: [] });
    expect(await suite.dataOf(path)).toMatchObject({ superseded_by: '[[House/boiler-2]]' });
  });

  it('may be of some of a cluster, and leaves the others as they are', async () => {
    const others = (await suite.vault.everything())[NAMES[2] ?? ''];
    await suite.run({ write: true, merges: [{ ...MERGE, members: NAMES.slice(0, 2), type: 'summary' }] });
    expect(await suite.dataOf('House/boiler-2.md')).toMatchObject({ type: 'summary' });
    expect((await suite.vault.everything())[NAMES[2] ?? '']).toBe(others);
  });

  it.each([
    ['notes of different clusters', [['House/apples.md', 'House/boiler.md']], /not all of one cluster/],
    ['a note that is in none', [['House/boiler.md', 'House/garden.md']], /not all of one cluster/],
    ['one note twice', [['House/boiler.md', 'House/boiler.md']], /two notes at least/],
    ['a cluster that has one already', [NAMES.slice(0, 2), NAMES.slice(1)], /already/],
  ])('is refused for %s, and the others are made', async (_what, refused, message) => {
    const apples = { members: ['House/apples.md', 'House/apples too.md'], title: 'Of apples', body: 'They keep.' };
    const merges = [...refused.map((members) => ({ ...MERGE, members })), apples];
    const answer = await suite.run({ write: true, merges });
    expect(answer.errors).toEqual([
      { code: 'invalid_value', message: expect.stringMatching(message), members: refused.at(-1) },
    ]);
    expect(answer.clusters[0]).toMatchObject({ path: 'House/of-apples.md' });
  });

  it('is refused when it is no note, and says why', async () => {
    const answer = await suite.run({ write: true, merges: [{ ...MERGE, body: ' ' }] });
    expect(answer.errors).toEqual([{ code: 'invalid_value', message: expect.any(String), members: NAMES }]);
    expect(answer.clusters[1]?.error).toMatchObject({ code: 'invalid_value' });
    expect(answer.remaining).toBe(2);
  });

  it('leaves out a note that has changed since, or that cannot be marked, and names it', async () => {
    suite.vault.put(NAMES[0] ?? '', 'Something else altogether.\n');
    const answer = await suite.run({ write: true, merges: [MERGE] });
    expect(answer.unmarked).toEqual([{ path: NAMES[0], reason: expect.stringContaining('changed') }]);
    expect(await suite.dataOf('House/boiler-2.md')).toMatchObject({
      supersedes: ['[[House/boiler once more]]', '[[House/boiler]]'],
    });
    expect((await suite.vault.everything())[NAMES[0] ?? '']).toBe('Something else altogether.\n');
  });

  it('is not made where fewer than two are left', async () => {
    for (const path of NAMES.slice(1)) suite.vault.put(path, 'Something else.\n');
    const before = await suite.vault.everything();
    const answer = await suite.run({ write: true, merges: [MERGE] });
    expect(answer.errors).toEqual([{ code: 'members_changed', message: expect.any(String), members: NAMES }]);
    expect(await suite.vault.everything()).toEqual(before);
  });

  it('leaves out a note that was edited after the dry run which its etag is of, also when it is in the cluster still', async () => {
    const members = (await suite.run()).clusters[1]?.members ?? [];
    const edited = await suite.edit(
      NAMES[0] ?? '',
      FILES['House/boiler.md'].replace('burner.', 'burner: for 90 euros.'),
    );
    const answer = await suite.run({ write: true, merges: [{ ...MERGE, members: [...members] }] });
    expect(answer.clusters[1]).toMatchObject({ path: 'House/boiler-2.md', members: { length: 3 } });
    expect(answer.unmarked).toEqual([{ path: NAMES[0], reason: expect.stringContaining('etag') }]);
    expect((await suite.vault.everything())[NAMES[0] ?? '']).toBe(edited);
    for (const path of NAMES.slice(1))
      expect(await suite.dataOf(path)).toMatchObject({ superseded_by: '[[House/boiler-2]]' });
  });

  it('leaves out one that left the cluster by its edit, and makes the merge of the others', async () => {
    const members = (await suite.run()).clusters[1]?.members ?? [];
    await suite.edit(NAMES[0] ?? '', 'Something else altogether.\n');
    const merges = [{ ...MERGE, members: members.map(({ path, etag }) => ({ path, etag })) }];
    const answer = await suite.run({ write: true, merges });
    expect(answer).toMatchObject({ errors: [], unmarked: [{ path: NAMES[0] }] });
    expect(answer.clusters[1]).toMatchObject({ path: 'House/boiler-2.md' });
  });

  it('is not made where all but one were edited since, and names those', async () => {
    const stale = NAMES.slice(1).map((path) => ({ path, etag: '0'.repeat(64) }));
    const before = await suite.vault.everything();
    const answer = await suite.run({ write: true, merges: [{ ...MERGE, members: [NAMES[0] ?? '', ...stale] }] });
    expect(answer.errors).toEqual([{ code: 'members_changed', message: expect.any(String), members: NAMES }]);
    expect(answer.unmarked.map(({ path }) => path)).toEqual(NAMES.slice(1));
    expect(await suite.vault.everything()).toEqual(before);
  });
});
