/**
 * What a query asks for. Identifiers (`DEC-0054`, `path.ts`) become one term each with their parts as a phrase,
 * ordinary words one term each. Danger: a term that the index side does not emit for the same word makes that word
 * unfindable; a stop word that slips through costs thirty times a content word's time (most of the vault holds it).
 */
import type { QueryTerm } from './analyzer.ts';
import { normaliseText } from './characters.ts';
import { scanStretches } from './scan.ts';
import { type PlainToken, spacedIdentifiers } from './spaced-identifiers.ts';
import { type Compound, cjkCharacters, cjkTerms, compoundsOf, segmentedTerms, type WordTerms } from './words.ts';

/** A pasted page is no question: beyond this many terms each costs time and adds little. */
export const MAX_QUERY_TERMS = 32;

interface Candidate extends QueryTerm {
  readonly stop: boolean;
}

export function queryTermsOf(text: string, words: WordTerms, stopWords: ReadonlySet<string>): QueryTerm[] {
  const normalised = normaliseText(text);
  const candidates: Candidate[] = [];
  const tokens: PlainToken[] = [];
  const add = (term: string, options: Partial<Candidate> = {}): void => {
    if (term === '') return;
    candidates.push({ term, phrase: [term], identifier: false, stop: false, ...options });
  };
  const addWord = (raw: string): void => {
    const folded = words.folded(raw);
    add(words.term(raw), { identifier: namesOneThing(folded), stop: stopWords.has(folded) });
  };
  const addName = ({ whole, parts }: Compound): void => {
    // A lone part is that of `c++`: the bare `c` would say something else.
    add(whole, { phrase: parts.length < 2 ? [whole] : parts, identifier: true, stop: stopWords.has(whole) });
  };
  scanStretches(normalised, {
    word: (raw, from, to) => {
      addWord(raw);
      const folded = words.folded(raw);
      tokens.push({ folded, term: words.term(raw), stop: stopWords.has(folded), from, to });
    },
    compound: (raw, rawParts) => {
      for (const compound of compoundsOf(raw, rawParts, words)) {
        if (compound.whole === '') for (const part of compound.rawParts) addWord(part);
        else addName(compound);
      }
    },
    cjk: (run) => {
      const terms = cjkTerms(cjkCharacters(run));
      for (const term of terms) add(term, { stop: stopWords.has(term) || isParticle(term) });
    },
    segmented: (run) => {
      for (const term of segmentedTerms(run)) add(term, { stop: stopWords.has(term) });
    },
  });
  for (const phrase of spacedIdentifiers(tokens, normalised)) add(phrase.join(' '), { phrase, identifier: true });
  return select(candidates);
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
  const unique = [...new Map(wanted.map((candidate) => [candidate.term, candidate])).values()];
  const kept = new Set(
    unique.length <= MAX_QUERY_TERMS ? unique : unique.toSorted(byImportance).slice(0, MAX_QUERY_TERMS),
  );
  return unique
    .filter((candidate) => kept.has(candidate))
    .map(({ term, phrase, identifier }) => ({ term, phrase, identifier }));
}

/** Identifiers, then long words: the rarer ones, as far as a word alone can tell. */
function byImportance(a: Candidate, b: Candidate): number {
  return Number(b.identifier) - Number(a.identifier) || b.term.length - a.term.length;
}
