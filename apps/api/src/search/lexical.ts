/**
 * The lexical arm: the query's terms with how often they stand in the vault, made into a bounded full-text expression.
 * Danger: a term that stands nearly everywhere costs its whole posting list and ranks next to nothing (three stop words
 * took 265 ms at 200 000 chunks, four content words 9 ms), so what an expression may touch has a budget.
 */
import type { Analyzer, QueryTerm } from '@vault-mcp/shared/analysis/analyzer';
import { matchExpression } from '@vault-mcp/shared/analysis/match-expression';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { LexicalCandidate, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import type { ReadRules } from '@vault-mcp/shared/vault/access';
import { choosePins, identifiersToHold, type NamedCandidate, RARE_CHUNKS, termsToHold } from './lookup.ts';

/** Postings one expression may touch: about 0.6 µs each, by the figures above. The rarest term is in at any price. */
const POSTINGS_BUDGET = 40_000;
/**
 * FTS5 gives a term that more than half of the chunks hold no weight at all (its idf is clamped to almost nothing), so
 * beside rarer terms it costs without ranking. In a small vault it costs nothing either and still finds.
 */
const FREE_POSTINGS = 2_000;
/**
 * A word that the query says again counts again (the query term frequency of BM25, Robertson and Walker 1994), up to this often.
 * nDCG@10 of the arm, once against thrice (bench/relevance): cisi, whose queries are paragraphs, .324 and .402; cacm .485 and
 * .518; cranfield .374 and .373; medline .706 and .692. Saying it more often than this gained nothing more.
 */
const MOST_TIMES = 3;
/** For who holds ranks against one ceiling, whatever the query's length: the gate, whose candidates are whole notes. */
export const ONCE = 1;
/** Chunks that hold every term of a look-up which are ranked; of them at most one per file is pinned. */
const MAX_HOLDERS = 50;

/** Not narrowed by what is asked for: rarity is a property of all that the caller may read. */
const UNFILTERED = { excludeDirs: [], includeSuperseded: true } as const;

/** A term of the query with how many chunks hold it, of those that may be read. */
export interface QueryFrequency extends QueryTerm {
  readonly frequency: number;
  /** How many of them hold an identifier of several tokens whole, as the query writes it; 0 for other terms. */
  readonly whole: number;
  /** Postings its expression touches: any of its forms, and only the term held exactly. */
  readonly cost: { readonly any: number; readonly all: number };
}

type FrequencyReader = Pick<IndexReader, 'documentFrequencies' | 'lexicalCandidates' | 'termHolders'>;

/**
 * The query's terms (the analyzer bounds their number) with their frequencies, in the query's order.
 *
 * @param readable what may be read; null is everything. By what it may not read, a caller would learn from a pin that is
 * missing that a word stands there. A term of so many chunks that counting would cost too much keeps its vault-wide frequency
 */
export function queryFrequencies(
  reader: FrequencyReader,
  analyzer: Analyzer,
  query: string,
  readable: ReadRules | null,
): QueryFrequency[] {
  const terms = analyzer.queryTerms(query);
  const frequencies = reader.documentFrequencies([
    ...new Set(terms.flatMap((term) => [...term.phrase, ...(hasWhole(term) ? [term.term] : [])])),
  ]);
  return terms.map((term) => {
    const tokens = term.phrase.map((token) => frequencies.get(token) ?? 0);
    const rarest = Math.min(...tokens);
    const parts = term.identifier && tokens.length > 1 ? tokens.reduce((sum, count) => sum + count, 0) : 0;
    const cost = { any: rarest + parts, all: rarest };
    const wholes = hasWhole(term) ? (frequencies.get(term.term) ?? 0) : 0;
    const whole = readable === null ? wholes : readableFrequency(reader, asWhole(term, wholes), wholes, readable);
    const frequency =
      readable === null ? frequencyOf(reader, term, rarest) : readableFrequency(reader, term, rarest, readable);
    return { ...term, frequency, whole, cost };
  });
}

/** What is written with spaces (`AB12 CDE`) is no index term. */
function hasWhole({ identifier, phrase, term }: QueryTerm): boolean {
  return identifier && phrase.length > 1 && !term.includes(' ');
}

/** Held as the query writes it: by its phrase, whose words are stemmed, `get_user_7` would hold `get_users_7`. */
function asWhole<T extends QueryTerm>(term: T, frequency: number): T & { readonly frequency: number } {
  return { ...term, phrase: [term.term], frequency };
}

/**
 * The arm's expression: any of the terms, the rarest first, as many as the budget of postings allows. An identifier
 * whose parts are too frequent to ask for is still asked for as a whole. What is left of the budget goes into asking again
 * for what the query says again: FTS5 counts each time.
 * @param chunkCount chunks in the vault
 * @param mostTimes how often a term may count
 * @returns null when there is no term to ask for
 */
export function lexicalMatch(
  terms: readonly QueryFrequency[],
  chunkCount: number,
  mostTimes = MOST_TIMES,
): string | null {
  const { asked, left } = withinBudget(terms, chunkCount);
  if (asked.size === 0) return null;
  return [...asked.keys(), ...saidAgain([...asked], mostTimes, left)].join(' OR ');
}

interface Asked {
  readonly times: number;
  /** Postings it touches each time. */
  readonly cost: number;
}

function withinBudget(terms: readonly QueryFrequency[], chunkCount: number) {
  const asked = new Map<string, Asked>();
  let left = POSTINGS_BUDGET;
  for (const term of terms.toSorted((a, b) => a.frequency - b.frequency || a.cost.any - b.cost.any)) {
    const mode = term.cost.any <= left ? 'any' : 'all';
    const cost = term.cost[mode];
    const weightless = term.frequency > FREE_POSTINGS && term.frequency * 2 > chunkCount;
    if (asked.size > 0 && (weightless || cost > left)) continue;
    const expression = matchExpression([term], mode);
    if (expression === undefined) continue;
    asked.set(expression, { times: term.times, cost });
    left -= cost;
  }
  return { asked, left };
}

/** A round for each time, so that no word is said thrice before another is said twice. */
function saidAgain(asked: readonly (readonly [string, Asked])[], mostTimes: number, budget: number): string[] {
  const again: string[] = [];
  let left = budget;
  for (let time = 2; time <= mostTimes; time++) {
    for (const [expression, { times, cost }] of asked) {
      if (times < time || cost > left) continue;
      again.push(expression);
      left -= cost;
    }
  }
  return again;
}

/**
 * The chunks to pin (see lookup.ts), within `filter`. An identifier that stands there as it is written is held so, before
 * chunks that hold its tokens in order alone; where no chunk holds all of the query, those that hold its identifiers do.
 * @param candidates the arm's own, best first
 */
export function lookUp(
  reader: Pick<IndexReader, 'lexicalCandidates' | 'chunks'>,
  query: string,
  terms: readonly QueryFrequency[],
  candidates: readonly LexicalCandidate[],
  { filter, k }: { readonly filter: SearchFilter; readonly k: number },
): LexicalCandidate[] {
  const find = (match: string | undefined): NamedCandidate[] =>
    match ? named(reader, reader.lexicalCandidates(match, filter, MAX_HOLDERS)) : [];
  const written = termsToHold(terms.map((term) => (term.whole > 0 ? asWhole(term, term.whole) : term)));
  const all = written ? find(matchExpression(written, 'all')) : [];
  const holders = all.length > 0 || !written ? all : firstFound(expressionsOfIdentifiers(written), find);
  const spelledOtherwise = terms.some(({ whole }) => whole > 0) ? termsToHold(terms) : null;
  const loose = spelledOtherwise ? find(matchExpression(spelledOtherwise, 'all')) : [];
  const identifiers = terms.filter(({ identifier }) => identifier).map(({ term }) => term);
  return choosePins({ query, identifiers }, { holders, loose, candidates: named(reader, candidates) }, k);
}

/** All of the identifiers that may be held alone, then any of them. */
function expressionsOfIdentifiers(held: readonly QueryFrequency[]): (string | undefined)[] {
  const alone = identifiersToHold(held);
  const any = alone.map((term) => matchExpression([term], 'all')).filter((expression) => expression !== undefined);
  return [matchExpression(alone, 'all'), any.length > 1 ? any.join(' OR ') : undefined];
}

function firstFound(
  expressions: readonly (string | undefined)[],
  find: (match: string | undefined) => NamedCandidate[],
): NamedCandidate[] {
  for (const expression of expressions) {
    const found = find(expression);
    if (found.length > 0) return found;
  }
  return [];
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
  const holders = reader.lexicalCandidates(together, { ...UNFILTERED, readable: null }, RARE_CHUNKS + 1).length;
  return holders > RARE_CHUNKS ? Math.max(rarestToken, holders) : holders;
}

/** Counted no farther than matters: a term of more chunks costs its place only where they are more than half. */
function readableFrequency(reader: FrequencyReader, term: QueryTerm, rarest: number, readable: ReadRules): number {
  const held = rarest === 0 || rarest > POSTINGS_BUDGET ? undefined : matchExpression([term], 'all');
  return held === undefined ? rarest : reader.termHolders(held, readable, FREE_POSTINGS + 1);
}
