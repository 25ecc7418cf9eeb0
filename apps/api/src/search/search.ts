/**
 * One search: both arms over the same chunks, fused, diversified, look-ups pinned. Composition only; every rule stands
 * in its own file. Danger: the query's embedding is waited for, and the index may change meanwhile; so nothing read from
 * it before the wait is used after it, and what is read afterwards is read again when a change came in between.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { AppError } from '@vault-mcp/shared/errors';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { ChunkRow, FileKind, LexicalCandidate, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import type { Logger } from '@vault-mcp/shared/log';
import { type FusionSettings, type RankingConstants, rankingConstants } from './constants.ts';
import { type DegradedReason, embedQuery, nearestChunks, type QueryVector, sharesSpace } from './dense.ts';
import { diversify } from './diversify.ts';
import { type FusedCandidate, fuse } from './fuse.ts';
import { lexicalMatch, lookUp, type QueryFrequency, queryFrequencies, withinCeiling } from './lexical.ts';
import { cleanQuery } from './query-text.ts';

export interface SearchDependencies {
  readonly reader: IndexReader;
  readonly analyzer: Analyzer;
  /** Null: words only, by choice. */
  readonly embedder: Embedder | null;
  readonly settings: FusionSettings & { readonly embed_timeout_seconds: number };
  readonly log: Logger;
}

export interface SearchRequest {
  readonly query: string;
  /** Results wanted, 1 to 20. */
  readonly k: number;
  readonly filter: SearchFilter;
  /** Cosine distance above which the dense arm's hits are dropped. */
  readonly distanceCeiling?: number | undefined;
  /** FTS5 rank (negative, lower is better) above which the lexical arm's hits are dropped. */
  readonly bm25Ceiling?: number | undefined;
  readonly explain: boolean;
}

export interface SearchResult {
  readonly path: string;
  readonly title: string;
  readonly breadcrumb: string;
  /** Of a document: the page it stands on, 1-based. */
  readonly page?: number;
  /** 1-based line where the text starts: in the file, or in what was read of a document. */
  readonly line: number;
  readonly text: string;
  readonly kind: FileKind;
  readonly matched: 'both' | 'dense' | 'lexical';
  readonly pinned: boolean;
  readonly etag: string;
  readonly explain?: ResultExplanation;
}

export interface ResultExplanation {
  readonly dense_rank: number | null;
  readonly lexical_rank: number | null;
  readonly fused: number;
  readonly weight: number;
  readonly score: number;
}

export interface SearchAnswer {
  readonly results: SearchResult[];
  /** Why this answer is less than whole; empty when it is whole. */
  readonly degraded: (DegradedReason | 'index_building')[];
  /** Chunks that meaning cannot find yet. */
  readonly vectors_pending: number;
  readonly index_generation: number;
  /** The constants in force; only when asked for. */
  readonly explain?: RankingConstants;
}

/** Reads of one search; an index that changes more often than that answers from the last one. */
const MAX_READS = 3;

/**
 * @throws AppError invalid_request for an empty or overlong query, not_ready while the index holds nothing yet
 */
export async function search(dependencies: SearchDependencies, request: SearchRequest): Promise<SearchAnswer> {
  const { reader, embedder, settings } = dependencies;
  const query = cleanQuery(request.query);
  const constants = rankingConstants(settings, embedder?.provider ?? null);
  const building = assertSearchable(reader);
  const meaning = await meaningOf(dependencies, constants, query);
  const { found, generation } = readAtOnce(reader, () => find(dependencies, request, constants, query, meaning));
  const chosen = diversify(found.pinned, found.scored, { k: request.k, lambda: constants.mmr_lambda });

  const degraded = new Set<SearchAnswer['degraded'][number]>();
  if (building) degraded.add('index_building');
  if (found.degraded) degraded.add(found.degraded);
  if (found.pending > 0) degraded.add('vectors_pending');
  return {
    results: chosen.map((candidate) => toResult(candidate, found.pinned.includes(candidate), request.explain)),
    degraded: [...degraded],
    vectors_pending: found.pending,
    index_generation: generation,
    ...(request.explain ? { explain: constants } : {}),
  };
}

/** Every statement sees the index as it is then; reads anew until none of them could see a change. */
function readAtOnce<T>(reader: IndexReader, read: () => T): { found: T; generation: number } {
  for (let attempt = 1; ; attempt++) {
    const generation = reader.generation();
    const found = read();
    if (attempt === MAX_READS || reader.generation() === generation) return { found, generation };
  }
}

/** Whether the first text pass is still under way; refuses while that means there is nothing to search in. */
function assertSearchable(reader: IndexReader): boolean {
  const state = reader.indexerStatus()?.state;
  if (state !== 'ready' && reader.chunkCount() === 0) {
    throw new AppError(
      'not_ready',
      'The index is still building and holds nothing yet. Ask again in a few seconds; GET /readyz shows the progress.',
    );
  }
  return state === 'building';
}

/** Vectors of another space count as missing: the query cannot be compared with them. */
function vectorsPending(reader: IndexReader, embedder: Embedder, { readable }: SearchFilter): number {
  if (sharesSpace(reader, embedder)) return reader.vectorsPending(readable);
  return readable === null ? reader.chunkCount() : reader.readableChunks(readable);
}

/** The query as a vector, why it is none, or null when the dense arm is off. */
type Meaning = QueryVector | null;

async function meaningOf(
  { reader, embedder, settings, log }: SearchDependencies,
  constants: RankingConstants,
  query: string,
): Promise<Meaning> {
  if (!embedder || constants.dense_weight === 0 || reader.chunkCount() === 0) return null;
  // Nothing to compare it with: not worth waiting for.
  if (!sharesSpace(reader, embedder)) return { degraded: 'vectors_pending' };
  return embedQuery(embedder, query, settings.embed_timeout_seconds, log);
}

interface Found {
  /** Every candidate once, best first. */
  readonly scored: readonly ScoredCandidate[];
  /** Those of them that come first, in their order. */
  readonly pinned: readonly ScoredCandidate[];
  readonly degraded: DegradedReason | null;
  /** Chunks without a vector the query can be compared with. */
  readonly pending: number;
}

/** Both arms and their rows, without a wait in between. */
function find(
  dependencies: SearchDependencies,
  request: SearchRequest,
  constants: RankingConstants,
  query: string,
  meaning: Meaning,
): Found {
  const { reader, embedder } = dependencies;
  const dense = findByMeaning(dependencies, request, constants, meaning);
  const words = findByWords(dependencies, request, constants, query);
  const scored = score(fuse({ dense: dense.candidates, lexical: words.candidates }, constants), reader, constants);
  const pinned = words.pins.flatMap((pin) => scored.filter(({ chunkId }) => chunkId === pin.chunkId));
  return {
    scored,
    pinned,
    degraded: dense.degraded,
    pending: embedder ? vectorsPending(reader, embedder, request.filter) : 0,
  };
}

interface DenseArm {
  /** Null when the arm was off. */
  readonly candidates: { chunkId: number; fileId: number }[] | null;
  readonly degraded: DegradedReason | null;
}

function findByMeaning(
  { reader, embedder }: SearchDependencies,
  { filter, distanceCeiling }: SearchRequest,
  constants: RankingConstants,
  meaning: Meaning,
): DenseArm {
  if (!embedder || !meaning) return { candidates: null, degraded: null };
  if ('degraded' in meaning) return { candidates: null, degraded: meaning.degraded };
  // Asked again: the index may have changed its space while the query was embedded.
  if (!sharesSpace(reader, embedder)) return { candidates: null, degraded: 'vectors_pending' };
  return {
    candidates: nearestChunks(reader, meaning.vector, filter, constants.candidates, distanceCeiling),
    degraded: null,
  };
}

interface LexicalArm {
  readonly candidates: LexicalCandidate[];
  readonly pins: LexicalCandidate[];
}

function findByWords(
  { reader, analyzer }: SearchDependencies,
  request: SearchRequest,
  constants: RankingConstants,
  query: string,
): LexicalArm {
  const terms: QueryFrequency[] = queryFrequencies(reader, analyzer, query, request.filter.readable);
  const match = lexicalMatch(terms, reader.chunkCount());
  if (match === null) return { candidates: [], pins: [] };
  const { filter, k, bm25Ceiling } = request;
  const candidates = withinCeiling(reader.lexicalCandidates(match, filter, constants.candidates), bm25Ceiling);
  const pins = withinCeiling(lookUp(reader, query, terms, candidates, { filter, k }), bm25Ceiling);
  const ranked = new Set(candidates.map(({ chunkId }) => chunkId));
  // A pin outside the window (the expression is bounded, the look-up's is not) ranks right behind it.
  return { candidates: [...candidates, ...pins.filter(({ chunkId }) => !ranked.has(chunkId))], pins };
}

interface ScoredCandidate extends FusedCandidate {
  readonly chunk: ChunkRow;
  readonly weight: number;
  readonly score: number;
}

/** Adds rows and document weight; chunks that have just gone are left out. */
function score(fused: readonly FusedCandidate[], reader: IndexReader, constants: RankingConstants): ScoredCandidate[] {
  const rows = new Map(reader.chunks(fused.map(({ chunkId }) => chunkId)).map((chunk) => [chunk.id, chunk]));
  return fused.flatMap((candidate) => {
    const chunk = rows.get(candidate.chunkId);
    if (!chunk) return [];
    const weight = chunk.kind === 'document' ? constants.document_weight : 1;
    return [{ ...candidate, chunk, weight, score: candidate.fused * weight }];
  });
}

function toResult(candidate: ScoredCandidate, pinned: boolean, explain: boolean): SearchResult {
  const { chunk, denseRank, lexicalRank, fused, weight, score } = candidate;
  return {
    path: chunk.path,
    title: chunk.title,
    breadcrumb: chunk.breadcrumb,
    ...(chunk.page === null ? {} : { page: chunk.page }),
    line: chunk.lineStart,
    text: chunk.text,
    kind: chunk.kind,
    matched: denseRank === null ? 'lexical' : lexicalRank === null ? 'dense' : 'both',
    pinned,
    etag: chunk.sha256,
    ...(explain ? { explain: { dense_rank: denseRank, lexical_rank: lexicalRank, fused, weight, score } } : {}),
  };
}
