import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import { type Embedder, EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import type { SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { silentLogger } from '@vault-mcp/shared/log';
import { describe, expect, it } from 'vitest';
import { type FakeIndex, fakeIndex, fakeReader } from '../../../../test/support/fake-index.ts';
import { type SearchDependencies, type SearchRequest, search } from './search.ts';

/** White space parts terms; nothing is a stop word. */
const analyzer = {
  queryTerms: (text: string) =>
    text.split(' ').map((term) => ({ term, phrase: [term], identifier: false, prefix: false })),
} as unknown as Analyzer;

function fakeEmbedder(overrides: Partial<Embedder> = {}): Embedder {
  return {
    provider: 'ollama',
    space: 'space-1',
    dims: 2,
    model: 'fake',
    embedQuery: async () => new Float32Array([1, 0]),
    ...overrides,
  } as Embedder;
}

const SETTINGS = { rrf_k: 60, candidates: 50, document_weight: 0.7, mmr_lambda: 0.9, embed_timeout_seconds: 5 };
const NO_FILTER: SearchFilter = { excludeDirs: [], includeSuperseded: false, readable: null };

function run(index: FakeIndex, request: Partial<SearchRequest> = {}, dependencies: Partial<SearchDependencies> = {}) {
  return search(
    {
      reader: fakeReader(index),
      analyzer,
      embedder: fakeEmbedder(),
      log: silentLogger(),
      settings: SETTINGS,
      ...dependencies,
    },
    { query: 'heat pump', k: 6, filter: NO_FILTER, explain: false, ...request },
  );
}

const common = { frequencies: { heat: 50, pump: 50 } };
const pathsOf = (answer: Awaited<ReturnType<typeof run>>) => answer.results.map(({ path }) => path);

describe('a search', () => {
  it('answers what both arms found, best first, and says which found it', async () => {
    const answer = await run(fakeIndex({ ...common, lexical: [1, 2], dense: [2, 3] }));
    expect(answer).toEqual({
      results: [
        {
          path: 'note-2.md',
          title: 'Note 2',
          breadcrumb: 'A > B',
          line: 3,
          text: 'text of 2',
          kind: 'note',
          matched: 'both',
          pinned: false,
          etag: 'hash-2',
        },
        expect.objectContaining({ path: 'note-1.md', matched: 'lexical' }),
        expect.objectContaining({ path: 'note-3.md', matched: 'dense' }),
      ],
      degraded: [],
      vectors_pending: 0,
      index_generation: 41,
    });
  });

  it('shows no score unless asked to explain, and then the constants in force too', async () => {
    const index = fakeIndex({ ...common, lexical: [1], dense: [2], documents: [1] });
    const answer = await run(index, { explain: true });
    expect(answer.explain).toEqual({
      rrf_k: 60,
      dense_weight: 1,
      lexical_weight: 1,
      candidates: 50,
      document_weight: 0.7,
      mmr_lambda: 0.9,
    });
    expect(answer.results.map(({ explain }) => explain)).toEqual([
      { dense_rank: 1, lexical_rank: null, fused: 0.5, weight: 1, score: 0.5 },
      { dense_rank: null, lexical_rank: 1, fused: 0.5, weight: 0.7, score: 0.35 },
    ]);
  });

  it('asks both arms with the same narrowing', async () => {
    const index = fakeIndex({ ...common, lexical: [1], dense: [1] });
    const filter: SearchFilter = {
      ...NO_FILTER,
      prefix: 'House',
      kind: 'note',
      excludeDirs: ['Reports'],
      includeSuperseded: true,
    };
    await run(index, { filter });
    expect(index.filters).toEqual([filter, filter]);
  });

  it('drops what lies beyond a ceiling, each arm by its own', async () => {
    const index = fakeIndex({ ...common, lexical: [1, 2, 3], dense: [4, 5, 6] });
    const answer = await run(index, { bm25Ceiling: -9.5, distanceCeiling: 0.15 });
    expect(new Set(pathsOf(answer))).toEqual(new Set(['note-1.md', 'note-4.md', 'note-5.md']));
  });

  it('refuses an empty query', async () => {
    await expect(run(fakeIndex(), { query: '  ' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a look-up', () => {
  it('pins the chunks that hold a rare term before everything that ranks better', async () => {
    const index = fakeIndex({
      frequencies: { heat: 50, pump: 1 },
      lexical: [1, 2, 3],
      dense: [1, 2, 3],
      words: { 1: ['heat'], 2: ['heat'] },
    });
    const answer = await run(index);
    expect(answer.results.map(({ path, pinned }) => [path, pinned])).toEqual([
      ['note-3.md', true],
      ['note-1.md', false],
      ['note-2.md', false],
    ]);
  });

  it('pins a chunk even when it did not reach the candidates', async () => {
    const words = { 1: ['heat'], 2: ['heat'] };
    const index = fakeIndex({ frequencies: { heat: 50, pump: 1 }, lexical: [1, 2, 9], dense: [1], words });
    const [first] = (await run(index, {}, { settings: { ...SETTINGS, candidates: 2 } })).results;
    expect(first).toMatchObject({ path: 'note-9.md', pinned: true, matched: 'lexical' });
  });
});

describe('a page of results', () => {
  /** Chunks 1 to 6 stand in one note, 7 and 8 in two others; words and meaning agree on the order. */
  const oneNote = { 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1 };
  const order = [1, 2, 3, 4, 5, 6, 7, 8];
  const textsOf = (answer: Awaited<ReturnType<typeof run>>) => answer.results.map(({ text }) => text.slice(8));

  it('holds a third of its places of one note at most, while others have something to say', async () => {
    const index = fakeIndex({ ...common, lexical: order, dense: order, files: oneNote });
    expect(textsOf(await run(index, { k: 4 }))).toEqual(['1', '7', '8', '2']);
    const answer = await run(index, { k: 4 }, { settings: { ...SETTINGS, mmr_lambda: 1 } });
    expect(textsOf(answer)).toEqual(['1', '2', '7', '8']);
  });

  it('is filled from one note when nothing else is left', async () => {
    const index = fakeIndex({ ...common, lexical: [1, 2, 3, 4, 5], files: oneNote });
    expect(textsOf(await run(index, { k: 4 }))).toEqual(['1', '2', '3', '4']);
  });

  it('counts what is pinned towards its note’s third', async () => {
    const words = Object.fromEntries(order.map((id) => [id, id === 3 ? ['heat', 'pump'] : ['heat']]));
    const frequencies = { heat: 50, pump: 1 };
    const index = fakeIndex({ frequencies, lexical: order, dense: order, files: oneNote, words });
    const answer = await run(index, { k: 3 });
    expect(textsOf(answer)).toEqual(['3', '7', '8']);
    expect(answer.results.map(({ pinned }) => pinned)).toEqual([true, false, false]);
  });
});

describe('an index that changes', () => {
  /** Changes the index while the query is being embedded. */
  const embedderThat = (change: () => void) =>
    fakeEmbedder({
      embedQuery: async () => {
        change();
        return new Float32Array([1, 0]);
      },
    });

  it('while the query is embedded is searched as it is afterwards', async () => {
    const index = fakeIndex({ ...common, lexical: [1], dense: [1] });
    const embedder = embedderThat(() => {
      // Chunk 1 is now one of another note, which neither arm finds.
      Object.assign(index, { lexical: [2], dense: [2], files: { 1: 99 }, generation: 42, pending: 3 });
    });
    const answer = await run(index, {}, { embedder });
    expect(pathsOf(answer)).toEqual(['note-2.md']);
    expect(answer).toMatchObject({ index_generation: 42, vectors_pending: 3 });
  });

  it('between two statements is read again, so that candidates and texts are of one state', async () => {
    const index = fakeIndex({ ...common, lexical: [1], dense: [1] });
    const reader = fakeReader(index);
    const { lexicalCandidates } = reader;
    reader.lexicalCandidates = (...asked) => {
      const found = lexicalCandidates(...asked);
      if (index.generation === 41) Object.assign(index, { lexical: [2], dense: [2], files: { 1: 99 }, generation: 42 });
      return found;
    };
    const answer = await run(index, {}, { reader });
    expect(pathsOf(answer)).toEqual(['note-2.md']);
    expect(answer.index_generation).toBe(42);
  });

  it('all the time is answered from all the same', async () => {
    const index = fakeIndex({ ...common, lexical: [1], dense: [1] });
    const reader = { ...fakeReader(index), generation: () => index.generation++ };
    expect(pathsOf(await run(index, {}, { reader }))).toEqual(['note-1.md']);
  });
});

describe('an answer that is less than whole', () => {
  it('comes from words alone, and says so, when the embedder fails', async () => {
    const embedder = fakeEmbedder({
      embedQuery: async () => {
        throw new EmbedderError('unreachable', 'connection refused');
      },
    });
    const answer = await run(fakeIndex({ ...common, lexical: [1], dense: [2] }), {}, { embedder });
    expect(answer.degraded).toEqual(['embedder_unreachable']);
    expect(answer.results).toMatchObject([{ path: 'note-1.md', matched: 'lexical' }]);
  });

  it('does not wait for an embedder that ignores its time limit', async () => {
    const embedder = fakeEmbedder({ embedQuery: () => new Promise(() => {}) });
    const settings = { ...SETTINGS, embed_timeout_seconds: 0.02 };
    const answer = await run(fakeIndex({ ...common, lexical: [1] }), {}, { embedder, settings });
    expect(answer.degraded).toEqual(['embedder_unreachable']);
    expect(pathsOf(answer)).toEqual(['note-1.md']);
  });

  it('uses the vectors there are while others are pending, and says how many', async () => {
    const answer = await run(fakeIndex({ ...common, dense: [2], pending: 7 }));
    expect(answer).toMatchObject({ degraded: ['vectors_pending'], vectors_pending: 7 });
    expect(pathsOf(answer)).toEqual(['note-2.md']);
  });

  it.each(['another-space', null])('compares with no vector of another space (%s)', async (space) => {
    const answer = await run(fakeIndex({ ...common, lexical: [1], dense: [2], space }));
    expect(answer).toMatchObject({ degraded: ['vectors_pending'], vectors_pending: 100 });
    expect(pathsOf(answer)).toEqual(['note-1.md']);
  });

  it('notices that the space changed while the query was embedded', async () => {
    const index = fakeIndex({ ...common, lexical: [1], dense: [2] });
    const embedder = fakeEmbedder({
      embedQuery: async () => {
        index.space = 'space-2';
        return new Float32Array([1, 0]);
      },
    });
    const answer = await run(index, {}, { embedder });
    expect(answer.degraded).toContain('vectors_pending');
    expect(pathsOf(answer)).toEqual(['note-1.md']);
  });

  it('is whole when words alone were chosen', async () => {
    const answer = await run(fakeIndex({ ...common, lexical: [1], pending: 7 }), {}, { embedder: null });
    expect(answer).toMatchObject({ degraded: [], vectors_pending: 0 });
  });

  it('says that the index is still building, and refuses while it holds nothing', async () => {
    const answer = await run(fakeIndex({ ...common, lexical: [1], state: 'building' }));
    expect(answer.degraded).toEqual(['index_building']);
    for (const state of ['building', 'failed', null] as const) {
      await expect(run(fakeIndex({ state }))).rejects.toMatchObject({ code: 'not_ready' });
    }
  });

  it('lets a fault of the index through instead of calling it degraded', async () => {
    const reader = fakeReader(fakeIndex());
    reader.denseCandidates = () => {
      throw new AppError('not_ready', 'There is no index yet.');
    };
    await expect(run(fakeIndex(), {}, { reader })).rejects.toMatchObject({ code: 'not_ready' });
  });
});
