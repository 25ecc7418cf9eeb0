/**
 * Decides whether a query looks something up (a number, a name, a rare word) rather than asks about it, and which
 * chunks then come first. Pure. Danger: a pin outranks everything, so it may only go to chunks that hold all that the
 * vault knows of the query, or the identifiers it is about, or whose note is called by it; a near-miss line must never win.
 */
import type { FileKind, LexicalCandidate } from '@vault-mcp/shared/index-db/rows';

/** A term standing in at most this many chunks of the vault makes its query a lookup. */
export const RARE_CHUNKS = 5;
/** Never more pinned results than this, however large k is. */
const MAX_PINNED = 5;

/** A query term and how many chunks of the whole vault hold it (one of several tokens: hold them together in order). */
export interface TermFrequency {
  /** Index terms that stand together in order; one for a plain word. */
  readonly phrase: readonly string[];
  readonly identifier: boolean;
  readonly frequency: number;
}

/**
 * The terms a chunk must hold, every one, to be pinned; null when the query is no lookup.
 *
 * Words that stand nowhere are left out of the demand: one unknown word beside an identifier must not lose it. But an
 * identifier is what its query is about, so when none of the query's identifiers is there, nothing is pinned: the
 * neighbours of a missing `DEC-0054` are near misses, and so are chunks that hold the tokens of a missing `AB12 CDE`
 * apart from each other. A query without identifiers is a lookup only while the vault knows at least half of its
 * terms; a question of which one rare word is known is still a question.
 */
export function termsToHold<T extends TermFrequency>(terms: readonly T[]): T[] | null {
  const considered = withoutPartsOfMissing(terms);
  const present = considered.filter(({ frequency }) => frequency > 0);
  if (present.length === 0) return null;
  const asksForIdentifier = considered.some(({ identifier }) => identifier);
  const known = asksForIdentifier
    ? present.some(({ identifier }) => identifier)
    : present.length * 2 >= considered.length;
  if (!known) return null;
  const rarest = Math.min(...present.map(({ frequency }) => frequency));
  return rarest <= RARE_CHUNKS ? present : null;
}

// `12v`, `2nd` and `3d` say how much or which, not what.
const SMALL_MEASURE = /^\p{N}{1,3}\p{L}{1,3}$/u;
const NUMBER_ALONE = /^[\p{N}\p{P}\p{Zs}]+$/u;
// Five digits, in groups of a telephone number or not; or the four numbers of an address on a network.
const LONG_NUMBER = /\p{N}(?: ?\p{N}){4}|^\p{N}+(?:\.\p{N}+){3}$/u;
const DATE = /^\p{N}{4}-\p{N}{2}-\p{N}{2}$/u;

/**
 * Known words beside identifiers, above which a query is more about the words. bench/relevance, nDCG@10 of the hybrid with the
 * built-in model: without a bound cisi, whose queries are paragraphs, loses .004 and cranfield .001; with it nothing gets worse.
 */
const MOST_WORDS_BESIDE = 5;

/**
 * The terms that a chunk may be pinned for where none holds all of the query: what is asked of `DEC-0054` stands in words of
 * its own. Only what is rare and names one thing; a year, a date, an amount or a short measure stands beside many.
 */
export function identifiersToHold<T extends TermFrequency & { readonly term: string }>(held: readonly T[]): T[] {
  if (held.filter(({ identifier }) => !identifier).length > MOST_WORDS_BESIDE) return [];
  return held.filter(
    ({ term, identifier, frequency }) => identifier && frequency <= RARE_CHUNKS && namesOneThing(term),
  );
}

function namesOneThing(term: string): boolean {
  if (SMALL_MEASURE.test(term) || DATE.test(term)) return false;
  return !NUMBER_ALONE.test(term) || LONG_NUMBER.test(term);
}

/** Without the terms that are asked for only as tokens of an identifier that stands nowhere as a whole. */
function withoutPartsOfMissing<T extends TermFrequency>(terms: readonly T[]): T[] {
  const missing = terms.filter(
    ({ identifier, phrase, frequency }) => identifier && phrase.length > 1 && frequency === 0,
  );
  const parts = new Set(missing.flatMap(({ phrase }) => phrase));
  return terms.filter(({ phrase: [first = ''], phrase }) => phrase.length > 1 || !parts.has(first));
}

/** What a query calls by name. */
export interface AskedName {
  /** The whole query. */
  readonly query: string;
  /** The identifiers in it. */
  readonly identifiers: readonly string[];
}

/** A candidate with kind and names of the file it stands in. */
export interface NamedCandidate extends LexicalCandidate {
  readonly kind: FileKind;
  readonly title: string;
  readonly path: string;
}

/**
 * How far a file is the thing asked for by its title or stem: 2 when one of them is the query, 1 when one holds the
 * query or an identifier of it as whole words, else 0. Case, spaces and punctuation do not count (`dec 0054` names
 * `DEC-0054`), but for the `+` and `#` that tell `C++` from `C`.
 */
export function nameRank(asked: AskedName, { title, path }: Pick<NamedCandidate, 'title' | 'path'>): 0 | 1 | 2 {
  const query = nameKey(asked.query);
  if (query === '') return 0;
  const names = [nameKey(title), nameKey(stemOf(path))];
  if (names.includes(query)) return 2;
  const wanted = [query, ...asked.identifiers.map(nameKey)].filter((key) => key !== '');
  return names.some((name) => wanted.some((key) => ` ${name} `.includes(` ${key} `))) ? 1 : 0;
}

/** What pins are chosen from; all of it best first by BM25. */
export interface PinSources {
  /** Chunks that hold every term of a look-up as it is written; none when the query is no look-up. */
  readonly holders: readonly NamedCandidate[];
  /** Chunks that hold an identifier in another spelling, or one that is like it (`DEC-0054-B` and its like too). */
  readonly loose: readonly NamedCandidate[];
  /** The lexical arm's: of these only chunks of a note of that very name are pinned. */
  readonly candidates: readonly NamedCandidate[];
}

/**
 * The chunks to pin: a file of the very name asked for, then chunks of notes whose name holds it, then those that
 * merely mention it; then the same of documents, since a note that was made from a document says more in less; and only then
 * what holds it loosely, in the same order. Common words make no look-up, but a file that is called by the query is one all the same.
 * @returns the first of each file, at most MAX_PINNED and at most k
 */
export function choosePins(asked: AskedName, { holders, loose, candidates }: PinSources, k: number): NamedCandidate[] {
  const rankOf = new Map<number, number>();
  for (const one of [...holders, ...loose, ...candidates])
    if (!rankOf.has(one.fileId)) rankOf.set(one.fileId, nameRank(asked, one));
  const rank = ({ fileId }: NamedCandidate): number => rankOf.get(fileId) ?? 0;
  const place = (one: NamedCandidate): number => (one.kind === 'note' || rank(one) === 2 ? rank(one) : rank(one) - 2);
  const inPlace = (some: readonly NamedCandidate[]) => some.toSorted((a, b) => place(b) - place(a));
  const namesakes = [...loose, ...candidates].filter((candidate) => rank(candidate) === 2);
  const byFile = new Map<number, NamedCandidate>();
  for (const one of [...inPlace([...holders, ...namesakes]), ...inPlace(loose)])
    if (!byFile.has(one.fileId)) byFile.set(one.fileId, one);
  return [...byFile.values()].slice(0, Math.min(k, MAX_PINNED));
}

function nameKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.replace(/[^\p{L}\p{M}\p{N}+#]+/gu, ' ').trim();
}

/** File name without folder and suffix. */
function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}
