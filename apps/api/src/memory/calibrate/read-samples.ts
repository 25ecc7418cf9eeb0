/**
 * What a vault's notes measure of each other, by the same means as the gate measures: note vectors, and the words arm's
 * expression. Danger: it holds the thread for seconds on a large vault, so it is for a command of its own, never for a process
 * that answers others.
 */

import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import { cosineDistance } from '@vault-mcp/shared/embedding/cosine-distance';
import { noteVector } from '@vault-mcp/shared/index-db/note-vector';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { ChunkRow, LexicalCandidate, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { lexicalMatch, ONCE, queryFrequencies } from '../../search/lexical.ts';
import { halfOf, samplePairs, shuffled } from './sample.ts';
import type { Samples } from './suggest.ts';

type Reader = Pick<
  IndexReader,
  | 'chunkCount'
  | 'chunksOf'
  | 'documentFrequencies'
  | 'embeddedChunksOf'
  | 'lexicalCandidates'
  | 'nearestNotes'
  | 'noteVectorOf'
  | 'termHolders'
>;

export interface SampleSource {
  readonly reader: Reader;
  readonly analyzer: Analyzer;
  /** Every note the gate would compare with, by path. */
  readonly notes: readonly string[];
  /** `search.exclude_dirs`. */
  readonly excludeDirs: readonly string[];
}

export interface VaultSamples {
  /** Cosine distances; empty where the index has no vectors. */
  readonly distance: Samples;
  /** FTS5's ranks; 0 where no word is in common. */
  readonly rank: Samples;
  /** How many notes were looked at. */
  readonly sampled: number;
}

const FAR_PAIRS = 4_000;
/** Chunks of one query: enough to have twenty notes among them. */
const RANKED_CHUNKS = 200;
/** The note of a query, by rank, that has nothing to do with it: far enough behind whatever is about the same. */
const FAR_NOTE = 20;

interface Gathered {
  readonly far: number[];
  readonly near: number[];
  readonly same: number[];
}

/**
 * @param count notes to sample, at most
 * @param onProgress told how many of them are done
 */
export function readSamples(
  source: SampleSource,
  count: number,
  onProgress: (done: number, of: number) => void = () => undefined,
): VaultSamples {
  const chosen = shuffled(source.notes).slice(0, count);
  const distance: Gathered = { far: [], near: [], same: [] };
  const rank: Gathered = { far: [], near: [], same: [] };
  const vectors: Float32Array[] = [];
  for (const [done, path] of chosen.entries()) {
    onProgress(done, chosen.length);
    const chunks = source.reader.chunksOf(path);
    const at = partingOf(chunks);
    const vector = source.reader.noteVectorOf(path);
    if (vector !== null) {
      vectors.push(vector);
      gatherDistances(source, { path, vector, at }, distance);
    }
    gatherRanks(source, { path, chunks, at }, rank);
  }
  for (const [a, b] of samplePairs(vectors.length, FAR_PAIRS)) {
    distance.far.push(cosineDistance(vectors[a] as Float32Array, vectors[b] as Float32Array));
  }
  return { distance, rank, sampled: chosen.length };
}

/** Between sections: pieces of a long one repeat each other's ends, and would seem nearer than they are. */
function partingOf(chunks: readonly ChunkRow[]): number | null {
  const sizes = chunks.map(({ text }) => Buffer.byteLength(text));
  return halfOf(sizes, (count) => (chunks[count]?.lineStart ?? 0) > (chunks[count - 1]?.lineEnd ?? 0));
}

function gatherDistances(
  { reader, excludeDirs }: SampleSource,
  { path, vector, at }: { readonly path: string; readonly vector: Float32Array; readonly at: number | null },
  { near, same }: Gathered,
): void {
  const other = reader.nearestNotes(vector, compared(excludeDirs), 2).find((note) => note.path !== path);
  if (other !== undefined) near.push(other.distance);
  if (at === null) return;
  const chunks = reader.embeddedChunksOf(path);
  const [first, second] = [noteVector(chunks.slice(0, at)), noteVector(chunks.slice(at))];
  if (first !== null && second !== null) same.push(cosineDistance(first, second));
}

/** As if the note's first half, or all of it where it has none, were proposed again. */
function gatherRanks(
  { reader, analyzer, excludeDirs }: SampleSource,
  { path, chunks, at }: { readonly path: string; readonly chunks: readonly ChunkRow[]; readonly at: number | null },
  { far, near, same }: Gathered,
): void {
  const asked = chunks.slice(0, at ?? chunks.length).map(({ text }) => text);
  const match = lexicalMatch(queryFrequencies(reader, analyzer, asked.join('\n'), null), reader.chunkCount(), ONCE);
  if (match === null) return;
  const hits = reader.lexicalCandidates(match, compared(excludeDirs), RANKED_CHUNKS);
  const others = bestOfNotes(hits.filter(({ fileId }) => fileId !== chunks[0]?.fileId));
  near.push(others[0] ?? 0);
  far.push(others[FAR_NOTE - 1] ?? 0);
  if (at === null) return;
  const second = new Set(chunks.slice(at).map(({ id }) => id));
  const ofSecond = (found: readonly LexicalCandidate[]) => found.find(({ chunkId }) => second.has(chunkId))?.bm25;
  const own = (): LexicalCandidate[] =>
    reader.lexicalCandidates(match, { ...compared([]), prefix: path }, chunks.length);
  same.push(ofSecond(hits) ?? ofSecond(own()) ?? 0);
}

/** Best first. */
function bestOfNotes(hits: readonly LexicalCandidate[]): number[] {
  const best = new Map<number, number>();
  for (const { fileId, bm25 } of hits) if (!best.has(fileId)) best.set(fileId, bm25);
  return [...best.values()];
}

function compared(excludeDirs: readonly string[]): SearchFilter {
  return { kind: 'note', excludeDirs, includeSuperseded: false, readable: null };
}
