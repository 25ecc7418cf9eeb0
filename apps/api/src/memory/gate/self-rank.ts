/**
 * The rank that a candidate would have for its own words, were it filed: FTS5's bm25 worked out from the terms' frequencies, with
 * no query. Danger: it is held against ranks that FTS5 gives, so it has to be the same sum: same constants, same clamp, chunks
 * indexed under the same terms.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import { indexedText } from '@vault-mcp/shared/chunk/indexed-text';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { CandidateChunks } from './candidate-chunks.ts';

/** FTS5's own (SQLite's documentation of FTS5, "The bm25() function"). */
const K1 = 1.2;
const B = 0.75;
/** FTS5 gives a phrase that more than half of the rows hold this idf. */
const LEAST_IDF = 1e-6;
interface SelfRankPorts {
  readonly reader: Pick<IndexReader, 'documentFrequencies' | 'termStatistics'>;
  readonly analyzer: Pick<Analyzer, 'indexTerms'>;
}

export interface SelfRank {
  /** The best (lowest) of its chunks; 0 when none holds any of what is asked for. */
  readonly rank: number;
  /** What the words of its first chunk would be ranked in a chunk of so many terms, which says other things too. */
  inTextOf(terms: number): number;
}

/**
 * @param phrases those of the expression that other notes are ranked by. One of several terms counts as frequent as the rarest of
 * them, which makes the rank rather too near to 0
 */
export function selfRank({ reader, analyzer }: SelfRankPorts, phrases: string[][], parts: CandidateChunks): SelfRank {
  const { rows, terms } = reader.termStatistics();
  const frequencies = reader.documentFrequencies([...new Set(phrases.flat())]);
  // Itself among the others.
  const weighed = phrases.map((phrase) => {
    const holders = 1 + Math.min(...phrase.map((term) => frequencies.get(term) ?? 0));
    return { phrase, idf: Math.max(LEAST_IDF, Math.log((rows + 1 - holders + 0.5) / (holders + 0.5))) };
  });
  const chunks = parts.chunks.map((chunk, index) =>
    analyzer.indexTerms(indexedText(parts.names, chunk, index === 0 ? parts.properties : '')),
  );
  const rankIn = (own: readonly string[], count: number) => {
    const length = (count * (rows + 1)) / (terms + own.length);
    return 0 - sumOver(weighed, ({ phrase, idf }) => idf * saturation(occurrences(phrase, own), length));
  };
  return {
    rank: Math.min(0, ...chunks.map((own) => rankIn(own, own.length))),
    inTextOf: (count) => rankIn(chunks[0] ?? [], count),
  };
}

/** @param length in rows of mean length */
function saturation(times: number, length: number): number {
  return (times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
}

/** How often the terms stand together in order. */
function occurrences(phrase: readonly string[], terms: readonly string[]): number {
  let found = 0;
  for (let at = terms.indexOf(phrase[0] ?? ''); at !== -1; at = terms.indexOf(phrase[0] ?? '', at + 1)) {
    if (phrase.every((term, i) => terms[at + i] === term)) found++;
  }
  return found;
}

function sumOver<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
