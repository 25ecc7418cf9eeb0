/**
 * Decides whether a query looks something up (a number, a name, a rare word) rather than asks about it, and which
 * chunks then come first. Pure. Danger: a pin outranks everything, so it may only go to chunks that hold all that the
 * vault knows of the query, or whose note is called by it; a near-miss line must never win.
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

/**
 * The chunks to pin: a file of the very name asked for, then chunks of notes whose name holds it, then those that
 * merely mention it; then the same of documents, since a note that was made from a document says more in less. Common
 * words make no look-up, but a file that is called by the query is one all the same.
 * @param holders chunks that hold every term of a look-up, BM25's best first; none when the query is no look-up
 * @param candidates the lexical arm's, best first: of these only chunks of a note of that very name are pinned
 * @returns the first of each file, at most MAX_PINNED and at most k
 */
export function choosePins(
  asked: AskedName,
  holders: readonly NamedCandidate[],
  candidates: readonly NamedCandidate[],
  k: number,
): NamedCandidate[] {
  const rankOf = new Map<number, number>();
  for (const one of [...holders, ...candidates])
    if (!rankOf.has(one.fileId)) rankOf.set(one.fileId, nameRank(asked, one));
  const rank = ({ fileId }: NamedCandidate): number => rankOf.get(fileId) ?? 0;
  const place = (one: NamedCandidate): number => (one.kind === 'note' || rank(one) === 2 ? rank(one) : rank(one) - 2);
  const namesakes = candidates.filter((candidate) => rank(candidate) === 2);
  const byFile = new Map<number, NamedCandidate>();
  for (const one of [...holders, ...namesakes].sort((a, b) => place(b) - place(a)))
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
