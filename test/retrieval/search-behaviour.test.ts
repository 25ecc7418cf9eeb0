/** Search over a real index, word by word of its contract: look-ups, narrowing, ceilings, hostile queries, degraded answers. */
import type { OperationContext } from '@vault-mcp/api/context';
import { search, type searchInput } from '@vault-mcp/api/operations/search';
import { createLexicalEmbedder } from '@vault-mcp/shared/embedding/lexical';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type IndexedVault, indexVault } from '../support/indexed-vault.ts';
import { operationContext } from '../support/reading-context.ts';

/** Many notes on one matter, so that its words are common. */
function meetings(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, n) => [
      `Meetings/Week ${n}.md`,
      `# Week ${n}\n\nMeeting about the rollout of the new heating controller. Decision DEC-01${10 + n} was taken.\n`,
    ]),
  );
}

const FILES = {
  ...meetings(),
  'Decisions/Rollback.md':
    '---\ntype: decision\ntags: [heating/control]\n---\n\n# Rollback\n\nDEC-0054 says that the rollout of the controller may be rolled back.\n',
  'Decisions/DEC-0031.md': '# DEC-0031\n\nNotes stay files. This was settled by everybody who had to live with it.\n',
  'Decisions/Home.md': '# Home\n\nSee DEC-0031. DEC-0031, DEC-0031 and again DEC-0031.\n',
  'Decisions/Supersede.md': '# DEC-0031 revisited\n\nWhat was said of storage holds, but for one point or two.\n',
  'Meetings/Rollout.md': '# Rollout\n\nWhere it stands, and who does what until the end of the year.\n',
  'Car/Papers.md': '---\ntags: [car]\n---\n\n# Papers\n\nThe number plate is AB12 CDE; the keeper is Jo.\n',
  'Car/Other plate.md': '# Other plate\n\nThe neighbour drives AB12 XYZ, her cousin works for CDE Logistics.\n',
  'Car pool/Rules.md': '# Rules\n\nWho drives pays for parking.\n',
  'Old/Tariff.md':
    '---\nsuperseded_by: "[[Tariff]]"\n---\n\n# Old tariff\n\nElectricity tariff zorbium costs 31 cents.\n',
  'Home/Tariff.md': '# Tariff\n\nElectricity tariff zorbium costs 28 cents.\n',
  'Reports/Weekly.md': '# Weekly\n\nParking report, quorflax included.\n',
  'Log.md': `# Log\n\n${Array.from({ length: 9 }, (_, n) => `## Entry ${n}\n\n${`The sourdough number ${n} rose well and was baked. `.repeat(14)}\n`).join('\n')}`,
};

let indexed: IndexedVault;
let context: OperationContext;
beforeAll(async () => {
  indexed = await indexVault({ files: FILES, env: { SEARCH_EXCLUDE_DIRS: 'Reports' } });
  await indexed.settled();
  await indexed.until(() => indexed.reader.indexerStatus()?.state === 'ready', 'the indexer to say so');
  context = await operationContext(indexed);
});
afterAll(() => indexed.remove());

const ask = (input: z.infer<typeof searchInput>, over: Partial<OperationContext> = {}) =>
  search({ ...context, ...over }, input);
async function pathsOf(input: z.infer<typeof searchInput>) {
  return (await ask({ k: 20, ...input })).results.map(({ path }) => path);
}

describe('an identifier', () => {
  it.each(['DEC-0054', 'dec-0054', 'DEC 0054', 'what does DEC-0054 say', 'DEC-0054 frobnicated'])(
    'is found first when the query is %j',
    async (query) => {
      const [first] = (await ask({ query })).results;
      expect(first).toMatchObject({ path: 'Decisions/Rollback.md' });
    },
  );

  it.each(['DEC-0054', 'DEC-0054 frobnicated', 'DEC-0054 controller'])(
    'is pinned when the query is %j',
    async (query) => {
      const [first] = (await ask({ query })).results;
      expect(first).toMatchObject({ path: 'Decisions/Rollback.md', pinned: true });
    },
  );

  it('written with a space wins over a line that holds its parts apart', async () => {
    const [first, ...others] = (await ask({ query: 'AB12 CDE' })).results;
    expect(first).toMatchObject({ path: 'Car/Papers.md', pinned: true });
    expect(others.every(({ pinned }) => !pinned)).toBe(true);
  });

  const pinnedPaths = async (query: string) =>
    (await ask({ query })).results.filter(({ pinned }) => pinned).map(({ path }) => path);

  it.each(['DEC-0031', 'dec 0031'])(
    'puts the note of that name first, then the one whose title holds it, then mere mentions: %j',
    async (query) => {
      expect(await pinnedPaths(query)).toEqual([
        'Decisions/DEC-0031.md',
        'Decisions/Supersede.md',
        'Decisions/Home.md',
      ]);
    },
  );

  it('puts notes called by it before mere mentions also when more is asked', async () => {
    const paths = await pinnedPaths('DEC-0031 frobnicated');
    expect(paths).toHaveLength(3);
    expect(paths[2]).toBe('Decisions/Home.md');
  });

  it('that is nowhere pins none of its neighbours', async () => {
    for (const query of ['DEC-9999', 'DEC-9999 rolled back', 'AB12 QQQ']) {
      expect((await ask({ query })).results.filter(({ pinned }) => pinned)).toEqual([]);
    }
  });
});

describe('a title', () => {
  it('asked for by its words is first, though they are common', async () => {
    for (const query of ['rollout', 'Rollout', '"rollout"']) {
      const [first] = (await ask({ query })).results;
      expect(first).toMatchObject({ path: 'Meetings/Rollout.md', pinned: true });
    }
    const question = await ask({ query: 'rollout of the new controller' });
    expect(question.results.filter(({ pinned }) => pinned)).toEqual([]);
  });
});

describe('narrowing', () => {
  it('by prefix takes whole segments, any case, a folder or a note', async () => {
    expect(await pathsOf({ query: 'drives', prefix: 'car' })).toEqual(['Car/Other plate.md', 'Car/Papers.md']);
    expect(await pathsOf({ query: 'drives', prefix: 'CAR POOL/rules.md' })).toEqual(['Car pool/Rules.md']);
  });

  it('by a prefix under which nothing is indexed is refused with the folders that are', async () => {
    await expect(ask({ query: 'drives', prefix: 'Boat' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/Car, Car pool, Decisions/),
    });
    await expect(ask({ query: 'drives', prefix: '../etc' })).rejects.toMatchObject({ code: 'invalid_path' });
  });

  it('by type, tag (nested ones too) and kind', async () => {
    expect(await pathsOf({ query: 'controller', type: 'decision' })).toEqual(['Decisions/Rollback.md']);
    expect(await pathsOf({ query: 'controller', tag: '#heating' })).toEqual(['Decisions/Rollback.md']);
    expect(await pathsOf({ query: 'controller', tag: 'car' })).toEqual(['Car/Papers.md']);
    expect(await pathsOf({ query: 'controller', kind: 'document' })).toEqual([]);
  });

  it('leaves superseded notes out unless they are asked for', async () => {
    expect(await pathsOf({ query: 'zorbium' })).not.toContain('Old/Tariff.md');
    expect(await pathsOf({ query: 'zorbium', include_superseded: true })).toContain('Old/Tariff.md');
  });

  it('leaves excluded folders out unless one is asked for by name', async () => {
    expect(await pathsOf({ query: 'quorflax' })).not.toContain('Reports/Weekly.md');
    expect(await pathsOf({ query: 'quorflax', prefix: 'reports' })).toEqual(['Reports/Weekly.md']);
  });

  it('by a ceiling drops what each arm finds beyond it', async () => {
    const lexical = { embedder: null };
    expect((await ask({ query: 'sourdough', bm25_ceiling: -1000 }, lexical)).results).toEqual([]);
    expect((await ask({ query: 'sourdough', bm25_ceiling: 0 }, lexical)).results).not.toEqual([]);
    const near = await ask({ query: 'sourdough', distance_ceiling: 0, bm25_ceiling: -1000 });
    expect(near.results).toEqual([]);
  });
});

describe('the number of results', () => {
  it('is the configured one, and what is asked for within 1 to 20', async () => {
    expect((await ask({ query: 'controller' })).results).toHaveLength(6);
    expect((await ask({ query: 'controller', k: -3 })).results).toHaveLength(1);
    expect((await ask({ query: 'controller', k: 500 })).results).toHaveLength(20);
  });

  it('is reached from one note when the answers live nowhere else', async () => {
    const { results } = await ask({ query: 'sourdough', prefix: 'Log.md' });
    expect(results).toHaveLength(6);
    expect(new Set(results.map(({ line }) => line)).size).toBe(6);
  });
});

describe('a query that is no question', () => {
  it.each(['', '   ', '\u0000'])('is refused when it is %j', async (query) => {
    await expect(ask({ query })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each([
    '"',
    'NEAR(a b, 3) OR terms:*',
    "'; DROP TABLE chunk; --",
    '^controller AND NOT (rollout',
    'controller\u0000rollout',
    '\ud800 controller',
    '🔧🔧🔧',
    `${'controller rollout '.repeat(540)}`,
    'x'.repeat(10_000),
  ])('is answered all the same when it is %j', async (query) => {
    const answer = await ask({ query });
    expect(answer.results.length).toBeGreaterThan(0);
  });

  it('keeps its stop words when there is nothing else in it', async () => {
    const answer = await ask({ query: 'the' }, { embedder: null });
    expect(answer.results.length).toBeGreaterThan(0);
  });
});

describe('an answer that is less than whole', () => {
  it('says vectors_pending and goes by words when the index holds vectors of another space', async () => {
    const embedder = createLexicalEmbedder({ model: 'other', dims: 64, queryPrefix: '', documentPrefix: '' });
    const answer = await ask({ query: 'zorbium' }, { embedder });
    expect(answer).toMatchObject({ degraded: ['vectors_pending'], vectors_pending: indexed.reader.chunkCount() });
    expect(answer.results[0]).toMatchObject({ path: 'Home/Tariff.md', matched: 'lexical' });
  });

  it('names the generation of the index it was made from', async () => {
    expect((await ask({ query: 'zorbium' })).index_generation).toBe(indexed.reader.generation());
  });
});
