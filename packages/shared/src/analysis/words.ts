/**
 * From a stretch of text to the terms it is stored under. Shared by index and query, so that both can only agree.
 * Danger: everything here must depend on the stretch alone, never on what stands around it, or a word found in a
 * note would not be found when it is asked for by itself.
 */
import { foldWord, withoutIgnored } from './characters.ts';
import type { Language } from './languages.ts';
import { segmentRun } from './segment.ts';
import { cutTerm } from './terms.ts';

/** Words whose term is remembered: natural language repeats itself, and stemming costs a hundred look-ups. */
const CACHED_WORDS = 50_000;

const DIGIT = /\p{N}/u;

export interface WordTerms {
  /** Term of one word; empty when nothing is left of it. */
  term(raw: string): string;
  /** The word folded but not stemmed: what stop words are compared with. */
  folded(raw: string): string;
  /** The one term a whole compound is kept as. */
  whole(raw: string): string;
}

export function createWordTerms(language: Language): WordTerms {
  const remembered = new Map<string, string>();
  const folded = (raw: string): string => withoutClitics(foldWord(raw));
  return {
    folded,
    whole: (raw) => cutTerm(folded(raw)),
    term: (raw) => {
      const known = remembered.get(raw);
      if (known !== undefined) return known;
      const word = folded(raw);
      const term = cutTerm(DIGIT.test(word) ? word : language.stem(word) || word);
      if (remembered.size >= CACHED_WORDS) remembered.clear();
      remembered.set(raw, term);
      return term;
    },
  };
}

// Elided articles and pronouns of French, Italian and Catalan; English endings.
const ELISION = /^(?:l|d|j|n|s|c|m|t|qu|jusqu|lorsqu|puisqu|quoiqu|un|gl|dell|all|nell|sull|dall|quell|quest)'(?=..)/;
const ENGLISH_ENDING = /(?:n't|'(?:s|t|d|m|ll|re|ve))$/;

/** `l'école` → `école`, `don't` → `do`, `o'brien` → `obrien`. */
function withoutClitics(word: string): string {
  if (!word.includes("'")) return word;
  return word.replace(ENGLISH_ENDING, '').replace(ELISION, '').replaceAll("'", '');
}

// `2026-11-29t10:30` is a date and a time, each to be found by itself.
const DATE_TIME_JOINT = /(?<=\d\d)t(?=\d\d)/;

export interface Compound {
  /** The one term the whole is kept as; empty when the compound only joins words. */
  readonly whole: string;
  /** Terms of the parts in order. */
  readonly parts: readonly string[];
  readonly rawParts: readonly string[];
}

// Measured: kept whole, words like `well-known` cost 0.01 nDCG@10 on three of four collections, for nothing found
// that its words do not find.
const JOINS_WORDS = /^[^\d_.@:+#&,/]+(?:\/[^\d_.@:+#&,/]+)?$/;

/**
 * The compounds in a compound stretch: one, or two where an ISO date and time are joined by `t`. Words joined by
 * hyphens or one slash (`well-known`, `and/or`) name nothing: they have no whole.
 */
export function compoundsOf(raw: string, rawParts: readonly string[], words: WordTerms): Compound[] {
  const joint = rawParts.findIndex((part) => DATE_TIME_JOINT.test(part));
  if (joint > 0 && /^\d{4}-\d\d-\d\dt/.test(raw)) {
    const split = raw.indexOf('t');
    const [day = '', hour = ''] = (rawParts[joint] ?? '').split('t');
    return [
      ...compoundsOf(raw.slice(0, split), [...rawParts.slice(0, joint), day], words),
      ...compoundsOf(raw.slice(split + 1), [hour, ...rawParts.slice(joint + 1)], words),
    ];
  }
  const parts = rawParts.map((part) => words.term(part)).filter((term) => term !== '');
  return [{ whole: JOINS_WORDS.test(raw) ? '' : words.whole(raw), parts, rawParts }];
}

/** The characters of a CJK run, each a string of one code point (CJK has no case or accents to fold). */
export function cjkCharacters(run: string): string[] {
  return Array.from(withoutIgnored(run));
}

/** Terms of a CJK run in order: each pair of neighbours; a lone character is a term itself. */
export function cjkTerms(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, index) => (characters[index] ?? '') + character);
}

export function segmentedTerms(run: string): string[] {
  return segmentRun(withoutIgnored(run)).map(cutTerm);
}
