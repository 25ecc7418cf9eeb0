/**
 * The notes whose words answer a candidate's: within the ceiling, or as well as a good part of what the candidate would answer
 * itself. Danger: FTS5's rank is a sum over words, which a short candidate keeps from a fixed ceiling though the very same text
 * stands there; so a copy is let in by what it reaches of the candidate's own rank, whatever the ceiling, the vault or the embedder.
 */
import { phrasesOf } from '@vault-mcp/shared/analysis/match-expression';
import { fileStem, indexedText, namesOf } from '@vault-mcp/shared/chunk/indexed-text';
import type { ChunkRow, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { lexicalMatch, ONCE, queryFrequencies } from '../../search/lexical.ts';
import type { GatePorts } from '../ports.ts';
import type { Candidate } from '../types.ts';
import type { CandidateChunks } from './candidate-chunks.ts';
import { type SelfRank, selfRank } from './self-rank.ts';

export interface WordedNote {
  readonly path: string;
  readonly sha256: string;
  /** FTS5's rank of the best of its chunks. */
  readonly bm25: number;
}

export interface WordQuestion {
  readonly candidate: Pick<Candidate, 'title' | 'body'>;
  readonly parts: CandidateChunks;
  readonly filter: SearchFilter;
  /** FTS5's rank; 0 admits all. */
  readonly ceiling: number;
}

/**
 * Of the own rank of a candidate of one chunk, what another note has to reach to be shown whatever the ceiling. Of the short
 * memories of bench/gate-pairs.jsonl nine in ten that say the same again reach it, none of those about something else a third.
 */
export const SELF_SHARE = 0.5;
/**
 * Of what its words would be ranked in a chunk as long as that one: a longer note that says it among other things. More, since among
 * many words some of the candidate's stand anyway.
 */
const WITHIN_SHARE = 0.8;
/** Of a longer candidate's best chunk: its words are many, and any of them stand somewhere; so it is a copy that is let in. */
const COPY_SHARE = 0.9;
const RANKED_CHUNKS = 50;

/** Best first, by file id: each note by the best of its chunks. */
export function wordHits(
  { reader, analyzer }: Pick<GatePorts, 'reader' | 'analyzer'>,
  { candidate: { title, body }, parts, filter, ceiling }: WordQuestion,
): Map<number, WordedNote> {
  const terms = queryFrequencies(reader, analyzer, `${title}\n${body}`, filter.readable);
  const match = lexicalMatch(terms, reader.chunkCount(), ONCE);
  if (match === null) return new Map();
  const ranked = reader.lexicalCandidates(match, filter, RANKED_CHUNKS);
  if (ranked.length === 0) return new Map();
  const own = selfRank({ reader, analyzer }, phrasesOf(match), parts);
  const rows = new Map(reader.chunks(ranked.map(({ chunkId }) => chunkId)).map((row) => [row.id, row]));
  const notes = new Map<number, WordedNote>();
  for (const { chunkId, fileId, bm25 } of ranked) {
    const row = rows.get(chunkId);
    if (row === undefined || notes.has(fileId)) continue;
    if (bm25 > ceiling && !saysTheSame(bm25, own, { parts, row, analyzer })) continue;
    notes.set(fileId, { path: row.path, sha256: row.sha256, bm25 });
  }
  return notes;
}

interface Compared extends Pick<WordQuestion, 'parts'>, Pick<GatePorts, 'analyzer'> {
  readonly row: ChunkRow;
}

/** Whether a chunk answers the candidate's words about as well as the candidate itself would. */
function saysTheSame(bm25: number, own: SelfRank, { parts, row, analyzer }: Compared): boolean {
  // None of its own words is asked for: there is nothing to reach.
  if (own.rank === 0) return false;
  if (parts.chunks.length > 1) return bm25 <= own.rank * COPY_SHARE;
  if (bm25 <= own.rank * SELF_SHARE) return true;
  const { length } = analyzer.indexTerms(indexedText(namesOf(row.title, fileStem(row.path)), row));
  return bm25 <= own.inTextOf(length) * WITHIN_SHARE;
}
