/**
 * What a query asks for. Identifiers (`DEC-0054`, `path.ts`) become one term each with their parts as a phrase,
 * ordinary words one term each. Danger: a term that the index side does not emit for the same word makes that word
 * unfindable; a stop word that slips through costs thirty times a content word's time (most of the vault holds it).
 */
import { normaliseText } from './characters.ts';
import { scanStretches } from './scan.ts';
import { type PlainToken, spacedIdentifiers } from './spaced-identifiers.ts';
import { type Compound, cjkCharacters, cjkTerms, compoundsOf, segmentedTerms, type WordTerms } from './words.ts';

/** A pasted page is no question: beyond this many terms each costs time and adds little. */
export const MAX_QUERY_TERMS = 32;

export interface QueryTerm {
  /**
   * The index term: a word's stem, an identifier whole and as written (but for case and accents). An identifier
   * written with spaces (`AB12 CDE`) is its parts joined by a space, which no index term equals.
   */
  readonly term: string;
  /**
   * Index terms that stand together in order wherever this term does; one for a plain word. For an identifier the
   * phrase finds its other spellings as well (`DEC 0054`), and its words are stemmed: looser than `term`.
   */
  readonly phrase: readonly string[];
  /** Names one thing (`DEC-0054`, `path.ts`, `AB12 CDE`): wanted exactly, not by resemblance. */
  readonly identifier: boolean;
  /** How often the query says it, 1 or more. */
  readonly times: number;
}

interface Candidate extends Omit<QueryTerm, 'times'> {
  readonly stop: boolean;
}

export function queryTermsOf(text: string, words: WordTerms, stopWords: ReadonlySet<string>): QueryTerm[] {
  const normalised = normaliseText(text);
  const candidates = new Candidates(words, stopWords);
  const tokens: PlainToken[] = [];
  scanStretches(normalised, {
    word: (raw, from, to) => {
      candidates.addWord(raw);
      const folded = words.folded(raw);
      tokens.push({ folded, term: words.term(raw), stop: stopWords.has(folded), from, to });
    },
    compound: (raw, rawParts) => {
      for (const compound of compoundsOf(raw, rawParts, words)) candidates.addCompound(compound);
    },
    cjk: (run) => {
      for (const term of cjkTerms(cjkCharacters(run))) candidates.add(term, isParticle(term) ? { stop: true } : {});
    },
    segmented: (run) => {
      for (const term of segmentedTerms(run)) candidates.add(term);
    },
  });
  for (const phrase of spacedIdentifiers(tokens, normalised)) {
    candidates.add(phrase.join(' '), { phrase, identifier: true });
  }
  return select(candidates.list);
}

class Candidates {
  readonly list: Candidate[] = [];
  private readonly words: WordTerms;
  private readonly stopWords: ReadonlySet<string>;

  constructor(words: WordTerms, stopWords: ReadonlySet<string>) {
    this.words = words;
    this.stopWords = stopWords;
  }

  add(term: string, options: Partial<Candidate> = {}): void {
    if (term === '') return;
    const stop = options.stop ?? this.stopWords.has(term);
    this.list.push({ term, phrase: [term], identifier: false, ...options, stop });
  }

  addWord(raw: string): void {
    const folded = this.words.folded(raw);
    this.add(this.words.term(raw), { identifier: namesOneThing(folded), stop: this.stopWords.has(folded) });
  }

  addCompound({ whole, parts, rawParts }: Compound): void {
    if (whole === '') for (const part of rawParts) this.addWord(part);
    // A lone part is that of `c++`: the bare `c` would say something else.
    else this.add(whole, { phrase: parts.length < 2 ? [whole] : parts, identifier: true });
  }
}

/** Digits and letters mixed, or a number of three digits and more. */
function namesOneThing(folded: string): boolean {
  return /\p{N}/u.test(folded) && (folded.length >= 3 || /\p{L}/u.test(folded));
}

/** A single Hiragana left over between other scripts (`は` in `INV-0042は`). */
function isParticle(term: string): boolean {
  return /^\p{scx=Hiragana}$/u.test(term);
}

function select(candidates: readonly Candidate[]): QueryTerm[] {
  const content = candidates.filter(({ stop }) => !stop);
  const wanted = content.length > 0 ? content : candidates;
  const times = new Map<string, number>();
  for (const { term } of wanted) times.set(term, (times.get(term) ?? 0) + 1);
  const unique = [...new Map(wanted.map((candidate) => [candidate.term, candidate])).values()];
  const kept = new Set(
    unique.length <= MAX_QUERY_TERMS ? unique : unique.toSorted(byImportance).slice(0, MAX_QUERY_TERMS),
  );
  return unique
    .filter((candidate) => kept.has(candidate))
    .map(({ term, phrase, identifier }) => ({ term, phrase, identifier, times: times.get(term) ?? 1 }));
}

/** Identifiers, then long words: the rarer ones, as far as a word alone can tell. */
function byImportance(a: Candidate, b: Candidate): number {
  return Number(b.identifier) - Number(a.identifier) || b.term.length - a.term.length;
}
