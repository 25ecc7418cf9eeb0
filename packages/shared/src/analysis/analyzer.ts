/**
 * The lexical analyzer: what a text is indexed under and what a query asks for. Both sides share words.ts, so that
 * whatever is written can be found. Danger: terms are stored; changing any of them requires another
 * ANALYSIS_VERSION, and the index is then built anew.
 */
import { normaliseText } from './characters.ts';
import { ANALYSIS_VERSION, loadLanguage } from './languages.ts';
import { type QueryTerm, queryTermsOf } from './query-terms.ts';
import { scanStretches } from './scan.ts';
import { cjkCharacters, cjkTerms, compoundsOf, createWordTerms, segmentedTerms, type WordTerms } from './words.ts';

export type { QueryTerm } from './query-terms.ts';

export interface Analyzer {
  readonly language: string;
  /** Differs whenever the same text could give other terms: language, rules, or the runtime's Unicode tables. */
  readonly version: string;
  /**
   * Terms of a text in order, so that phrases match; the wholes of compounds and each single CJK character (once)
   * follow at the end, where they part no phrase. Stop words are kept: phrases run across them and a query may consist of nothing else.
   */
  indexTerms(text: string): string[];
  /**
   * What to look for, without duplicates and without stop words (unless nothing else is left), at most
   * MAX_QUERY_TERMS: of a longer query the identifiers stay, then the longest words. Empty when the text holds no
   * letter or digit.
   */
  queryTerms(text: string): QueryTerm[];
}

/**
 * @param language ISO 639-1 code (`search.language`)
 * @throws RangeError naming the known codes
 */
export function createAnalyzer(language: string): Analyzer {
  const { stem, stopWords } = loadLanguage(language);
  const words = createWordTerms({ stem, stopWords });
  const { unicode = '', icu = '' } = process.versions;
  return {
    language,
    version: `${ANALYSIS_VERSION}-${language}-unicode${unicode}-icu${icu}`,
    indexTerms: (text) => indexTermsOf(text, words),
    queryTerms: (text) => queryTermsOf(text, words, stopWords),
  };
}

function indexTermsOf(text: string, words: WordTerms): string[] {
  const terms: string[] = [];
  const wholes: string[] = [];
  const singles = new Set<string>();
  const pushWord = (raw: string): void => {
    const term = words.term(raw);
    if (term !== '') terms.push(term);
  };
  scanStretches(normaliseText(text), {
    word: pushWord,
    compound: (raw, rawParts) => {
      for (const { whole, parts } of compoundsOf(raw, rawParts, words)) {
        for (const part of parts) terms.push(part);
        if (whole !== '' && whole !== parts[0]) wholes.push(whole);
      }
    },
    cjk: (run) => {
      const characters = cjkCharacters(run);
      for (const term of cjkTerms(characters)) terms.push(term);
      if (characters.length > 1) for (const character of characters) singles.add(character);
    },
    segmented: (run) => {
      for (const term of segmentedTerms(run)) terms.push(term);
    },
  });
  for (const whole of wholes) terms.push(whole);
  for (const single of singles) terms.push(single);
  return terms;
}
