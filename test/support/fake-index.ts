/** An index that is only lists: which chunks each arm finds, in what order, and what they hold. For tests of ranking. */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { ChunkRow, IndexerStatus, IndexState, SearchFilter } from '@vault-mcp/shared/index-db/rows';

export interface FakeIndex {
  /** Chunk ids, best first. */
  lexical: number[];
  dense: number[];
  /** Which words a chunk holds, where they are not both words of the query. */
  words: Record<number, string[]>;
  /** Which file a chunk stands in, where that is not one of its own. */
  files: Record<number, number>;
  generation: number;
  frequencies: Record<string, number>;
  documents: number[];
  space: string | null;
  pending: number;
  state: IndexState | null;
  /** Every filter the arms were asked with. */
  filters: SearchFilter[];
}

export function fakeIndex(overrides: Partial<FakeIndex> = {}): FakeIndex {
  return {
    lexical: [],
    dense: [],
    words: {},
    files: {},
    generation: 41,
    frequencies: {},
    documents: [],
    space: 'space-1',
    pending: 0,
    state: 'ready',
    filters: [],
    ...overrides,
  };
}

const fileOf = (index: FakeIndex, chunkId: number) => index.files[chunkId] ?? chunkId;

/** Whether a chunk of these words matches an expression of quoted words. */
function holds(words: readonly string[], match: string): boolean {
  const held = (quoted: string) => words.includes(quoted.replaceAll('"', ''));
  return match.split(' OR ').some((alternative) => alternative.split(' AND ').every(held));
}

/** Answers from `index` as it is at each call, so that a test may change it in between. */
export function fakeReader(index: FakeIndex): IndexReader {
  const row = (id: number): ChunkRow => ({
    id,
    fileId: fileOf(index, id),
    ordinal: 0,
    path: `note-${fileOf(index, id)}.md`,
    title: `Note ${fileOf(index, id)}`,
    breadcrumb: 'A > B',
    lineStart: 3,
    lineEnd: 9,
    text: `text of ${id}`,
    page: index.documents.includes(id) ? 2 : null,
    kind: index.documents.includes(id) ? 'document' : 'note',
    sha256: `hash-${id}`,
  });
  const reader: Partial<IndexReader> = {
    generation: () => index.generation,
    chunkCount: () => (index.state === 'ready' || index.lexical.length > 0 ? 100 : 0),
    indexerStatus: () => (index.state === null ? null : ({ state: index.state } as IndexerStatus)),
    space: () => index.space,
    vectorsPending: () => index.pending,
    documentFrequencies: (terms) => new Map(terms.map((term) => [term, index.frequencies[term] ?? 0])),
    lexicalCandidates: (match, filter, limit) => {
      index.filters.push(filter);
      const ids = index.lexical.filter((id) => holds(index.words[id] ?? ['heat', 'pump'], match));
      return ids.slice(0, limit).map((id, rank) => ({ chunkId: id, fileId: fileOf(index, id), bm25: rank - 10 }));
    },
    denseCandidates: (_vector, filter, limit) => {
      index.filters.push(filter);
      return index.dense
        .slice(0, limit)
        .map((id, rank) => ({ chunkId: id, fileId: fileOf(index, id), distance: rank / 10 }));
    },
    chunks: (ids) => ids.map(row),
  };
  return reader as IndexReader;
}
