/**
 * The lexical arm: the query's terms with how often they stand in the vault, made into a bounded full-text expression.
 * Danger: a term that stands nearly everywhere costs its whole posting list and ranks next to nothing (three stop words
 * took 265 ms at 200 000 chunks, four content words 9 ms), so what an expression may touch has a budget.
 */
import type { Analyzer, QueryTerm } from '@vault-mcp/shared/analysis/analyzer';
import { matchExpression } from '@vault-mcp/shared/analysis/match-expression';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { LexicalCandidate, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { choosePins, type NamedCandidate, RARE_CHUNKS, termsToHold } from './lookup.ts';

/** Postings one expression may touch: about 0.6 µs each, by the figures above. The rarest term is in at any price. */
const POSTINGS_BUDGET = 40_000;
/**
 * FTS5 gives a term that more than half of the chunks hold no weight at all (its idf is clamped to almost nothing), so
 * beside rarer terms it costs without ranking. In a small vault it costs nothing either and still finds.
 */
const FREE_POSTINGS = 2_000;
/** Chunks that hold every term of a look-up which are ranked; of them at most one per file is pinned. */
const MAX_HOLDERS = 50;

/** Not narrowed at all: rarity is a property of the whole vault. */
const WHOLE_VAULT: SearchFilter = { excludeDirs: [], includeSuperseded: true };

/** A term of the query with how many chunks of the vault hold it. */
export interface QueryFrequency extends QueryTerm {
  readonly frequency: number;
  /** Postings its expression touches: any of its forms, and only the term held exactly. */
  readonly cost: { readonly any: number; readonly all: number };
}

type FrequencyReader = Pick<IndexReader, 'documentFrequencies' | 'lexicalCandidates'>;

/** The query's terms (the analyzer bounds their number) with their vault-wide frequencies, in the query's order. */
export function queryFrequencies(reader: FrequencyReader, analyzer: Analyzer, query: string): QueryFrequency[] {
  const terms = analyzer.queryTerms(query);
  const frequencies = reader.documentFrequencies([...new Set(terms.flatMap(({ phrase }) => phrase))]);
  return terms.map((term) => {
    const tokens = term.phrase.map((token) => frequencies.get(token) ?? 0);
    const rarest = Math.min(...tokens);
    const parts = term.identifier && tokens.length > 1 ? tokens.reduce((sum, count) => sum + count, 0) : 0;
    return { ...term, frequency: frequencyOf(reader, term, rarest), cost: { any: rarest + parts, all: rarest } };
  });
}

/**
 * The arm's expression: any of the terms, the rarest first, as many as the budget of postings allows. An identifier
 * whose parts are too frequent to ask for is still asked for as a whole.
 * @param chunkCount chunks in the vault
 * @returns null when there is no term to ask for
 */
export function lexicalMatch(terms: readonly QueryFrequency[], chunkCount: number): string | null {
  const expressions: string[] = [];
  let left = POSTINGS_BUDGET;
  for (const term of terms.toSorted((a, b) => a.frequency - b.frequency || a.cost.any - b.cost.any)) {
    const mode = term.cost.any <= left ? 'any' : 'all';
    const weightless = term.frequency > FREE_POSTINGS && term.frequency * 2 > chunkCount;
    if (expressions.length > 0 && (weightless || term.cost[mode] > left)) continue;
    const expression = matchExpression([term], mode);
    if (expression === undefined) continue;
    expressions.push(expression);
    left -= term.cost[mode];
  }
  return expressions.length > 0 ? [...new Set(expressions)].join(' OR ') : null;
}

/**
 * The chunks to pin (see lookup.ts), within `filter`.
 * @param candidates the arm's own, best first
 */
export function lookUp(
  reader: Pick<IndexReader, 'lexicalCandidates' | 'chunks'>,
  query: string,
  terms: readonly QueryFrequency[],
  candidates: readonly LexicalCandidate[],
  { filter, k }: { readonly filter: SearchFilter; readonly k: number },
): LexicalCandidate[] {
  const held = termsToHold(terms);
  const all = held && matchExpression(held, 'all');
  const holders = all ? reader.lexicalCandidates(all, filter, MAX_HOLDERS) : [];
  const identifiers = terms.filter(({ identifier }) => identifier).map(({ term }) => term);
  return choosePins({ query, identifiers }, named(reader, holders), named(reader, candidates), k);
}

function named(reader: Pick<IndexReader, 'chunks'>, candidates: readonly LexicalCandidate[]): NamedCandidate[] {
  const rows = new Map(reader.chunks(candidates.map(({ chunkId }) => chunkId)).map((row) => [row.id, row]));
  return candidates.flatMap((candidate) => {
    const row = rows.get(candidate.chunkId);
    return row ? [{ ...candidate, kind: row.kind, title: row.title, path: row.path }] : [];
  });
}

/** Drops what ranks above the ceiling; FTS5's rank is negative and lower is better. */
export function withinCeiling(candidates: LexicalCandidate[], ceiling: number | undefined): LexicalCandidate[] {
  return ceiling === undefined ? candidates : candidates.filter(({ bm25 }) => bm25 <= ceiling);
}

/**
 * A term of one token has that token's document frequency. One of several stands together at most as often as its
 * rarest token; whether that is rare has to be counted, since two frequent tokens may meet once.
 */
function frequencyOf(reader: FrequencyReader, term: QueryTerm, rarestToken: number): number {
  if (term.phrase.length < 2 || rarestToken === 0) return rarestToken;
  const together = matchExpression([term], 'all');
  if (together === undefined) return 0;
  const holders = reader.lexicalCandidates(together, WHOLE_VAULT, RARE_CHUNKS + 1).length;
  return holders > RARE_CHUNKS ? Math.max(rarestToken, holders) : holders;
}
