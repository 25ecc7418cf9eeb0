import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import { type Embedder, EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { ChunkRow, IndexerStatus, IndexState, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { silentLogger } from '@vault-mcp/shared/log';
import { describe, expect, it } from 'vitest';
import { type SearchDependencies, type SearchRequest, search } from './search.ts';

interface FakeIndex {
  /** Chunk ids, best first. */
  lexical: number[];
  dense: number[];
  /** Chunk ids that hold every term. */
  holders: number[];
  frequencies: Record<string, number>;
  documents: number[];
  space: string | null;
  pending: number;
  state: IndexState | null;
  /** Every filter the arms were asked with. */
  filters: SearchFilter[];
}

function fakeIndex(overrides: Partial<FakeIndex> = {}): FakeIndex {
  return {
    lexical: [],
    dense: [],
    holders: [],
    frequencies: {},
    documents: [],
    space: 'space-1',
    pending: 0,
    state: 'ready',
    filters: [],
    ...overrides,
  };
}

/** Each chunk stands in a file of its own. */
function fakeReader(index: FakeIndex): IndexReader {
  const row = (id: number): ChunkRow => ({
    id,
    fileId: id,
    ordinal: 0,
    path: `note-${id}.md`,
    title: `Note ${id}`,
    breadcrumb: 'A > B',
    lineStart: 3,
    lineEnd: 9,
    text: `text of ${id}`,
    kind: index.documents.includes(id) ? 'document' : 'note',
    sha256: `hash-${id}`,
  });
  const reader: Partial<IndexReader> = {
    generation: () => 41,
    chunkCount: () => (index.state === 'ready' || index.lexical.length > 0 ? 100 : 0),
    indexerStatus: () => (index.state === null ? null : ({ state: index.state } as IndexerStatus)),
    space: () => index.space,
    vectorsPending: () => index.pending,
    documentFrequencies: (terms) => new Map(terms.map((term) => [term, index.frequencies[term] ?? 0])),
    lexicalCandidates: (match, filter, limit) => {
      index.filters.push(filter);
      const ids = match.includes(' AND ') || index.lexical.length === 0 ? index.holders : index.lexical;
      return ids.slice(0, limit).map((id, rank) => ({ chunkId: id, fileId: id, bm25: rank - 10 }));
    },
    denseCandidates: (_vector, filter, limit) => {
      index.filters.push(filter);
      return index.dense.slice(0, limit).map((id, rank) => ({ chunkId: id, fileId: id, distance: rank / 10 }));
    },
    chunks: (ids) => ids.map(row),
  };
  return reader as IndexReader;
}

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

const NO_FILTER: SearchFilter = { excludeDirs: [], includeSuperseded: false };

function run(index: FakeIndex, request: Partial<SearchRequest> = {}, dependencies: Partial<SearchDependencies> = {}) {
  return search(
    {
      reader: fakeReader(index),
      analyzer,
      embedder: fakeEmbedder(),
      log: silentLogger(),
      settings: { rrf_k: 60, candidates: 50, document_weight: 0.7, mmr_lambda: 0.9, embed_timeout_seconds: 5 },
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
    const filter: SearchFilter = { prefix: 'House', kind: 'note', excludeDirs: ['Reports'], includeSuperseded: true };
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
      holders: [3],
    });
    const answer = await run(index);
    expect(answer.results.map(({ path, pinned }) => [path, pinned])).toEqual([
      ['note-3.md', true],
      ['note-1.md', false],
      ['note-2.md', false],
    ]);
  });

  it('pins a chunk even when it did not reach the candidates', async () => {
    const index = fakeIndex({ frequencies: { heat: 50, pump: 1 }, lexical: [1, 2], dense: [1], holders: [9] });
    const [first] = (await run(index)).results;
    expect(first).toMatchObject({ path: 'note-9.md', pinned: true, matched: 'lexical' });
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
    const settings = { rrf_k: 60, candidates: 50, document_weight: 0.7, mmr_lambda: 0.9, embed_timeout_seconds: 0.02 };
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
