/**
 * Which languages the analyzer knows: their stemmer, their stop words, the script they are written in. Danger: a
 * stemmer or list that changes makes stored terms unreachable, so ANALYSIS_VERSION must change with it.
 */
import { createRequire } from 'node:module';
import type { SearchLanguage } from '../config/languages.ts';
import { foldWord } from './characters.ts';

/** Digest part of `Analyzer.version`: raise it with any change of terms. */
export const ANALYSIS_VERSION = 1;

export interface Language {
  /** Stems a folded word of letters. */
  readonly stem: (word: string) => string;
  /** Folded, unstemmed. */
  readonly stopWords: ReadonlySet<string>;
}

interface LanguageSource {
  /** Name of the Snowball stemmer; absent where none exists (the word then stays as it is). */
  readonly stemmer?: string;
  /** Name of the list in `stopword`. */
  readonly stopWords?: string;
  /** False: words of Latin letters in such notes are English, not the language's own. */
  readonly latin: boolean;
}

// Loaded one by one on demand: all stemmers and lists together cost 80 ms of every start.
const require = createRequire(import.meta.url);

const norwegian: LanguageSource = { stemmer: 'norwegian', stopWords: 'nob', latin: true };

/** Complete by type: every language the configuration accepts. */
const LANGUAGES: Readonly<Record<SearchLanguage, LanguageSource>> = {
  ar: { stemmer: 'arabic', stopWords: 'ara', latin: false },
  bg: { stemmer: 'bulgarian', stopWords: 'bul', latin: false },
  bn: { stopWords: 'ben', latin: false },
  ca: { stopWords: 'cat', latin: true },
  cs: { stopWords: 'ces', latin: true },
  da: { stemmer: 'danish', stopWords: 'dan', latin: true },
  de: { stemmer: 'german', stopWords: 'deu', latin: true },
  el: { stemmer: 'greek', stopWords: 'ell', latin: false },
  en: { stopWords: 'eng', latin: true },
  es: { stemmer: 'spanish', stopWords: 'spa', latin: true },
  et: { stopWords: 'est', latin: true },
  eu: { stopWords: 'eus', latin: true },
  fa: { stopWords: 'fas', latin: false },
  fi: { stemmer: 'finnish', stopWords: 'fin', latin: true },
  fr: { stemmer: 'french', stopWords: 'fra', latin: true },
  ga: { stemmer: 'irish', stopWords: 'gle', latin: true },
  he: { stopWords: 'heb', latin: false },
  hi: { stemmer: 'indian', stopWords: 'hin', latin: false },
  hr: { stopWords: 'hrv', latin: true },
  hu: { stemmer: 'hungarian', stopWords: 'hun', latin: true },
  hy: { stemmer: 'armenian', stopWords: 'hye', latin: false },
  id: { stemmer: 'indonesian', stopWords: 'ind', latin: true },
  it: { stemmer: 'italian', stopWords: 'ita', latin: true },
  ja: { stopWords: 'jpn', latin: false },
  km: { latin: false },
  ko: { stopWords: 'kor', latin: false },
  lo: { latin: false },
  lt: { stemmer: 'lithuanian', stopWords: 'lit', latin: true },
  lv: { stopWords: 'lav', latin: true },
  my: { stopWords: 'mya', latin: false },
  nb: norwegian,
  ne: { stemmer: 'nepali', latin: false },
  nl: { stemmer: 'dutch', stopWords: 'nld', latin: true },
  nn: norwegian,
  no: norwegian,
  pl: { stopWords: 'pol', latin: true },
  pt: { stemmer: 'portuguese', stopWords: 'por', latin: true },
  ro: { stemmer: 'romanian', stopWords: 'ron', latin: true },
  ru: { stemmer: 'russian', stopWords: 'rus', latin: false },
  sk: { stopWords: 'slk', latin: true },
  sl: { stopWords: 'slv', latin: true },
  sv: { stemmer: 'swedish', stopWords: 'swe', latin: true },
  ta: { stemmer: 'tamil', latin: false },
  th: { stopWords: 'tha', latin: false },
  tr: { stemmer: 'turkish', stopWords: 'tur', latin: true },
  uk: { stemmer: 'ukrainian', stopWords: 'ukr', latin: false },
  vi: { stopWords: 'vie', latin: true },
  zh: { stopWords: 'zho', latin: false },
};

function isKnown(code: string): code is SearchLanguage {
  return Object.hasOwn(LANGUAGES, code);
}

// The English list leaves out these, which in a query mean as little as those it has.
const MORE_ENGLISH_STOP_WORDS =
  'does doing having its itself just no nor not she so us when whom whose why herself myself ourselves themselves yourself e.g i.e';

// Stemmers know suffixes with their accents, which folding takes: these are put back before stemming. Measured on
// the translated help vault: without them one conflated pair in ten falls apart in Spanish, Portuguese and French.
const ACCENTED_SUFFIXES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  spanish: [
    ['cion', 'ción'],
    ['sion', 'sión'],
  ],
  portuguese: [
    ['cao', 'ção'],
    ['coes', 'ções'],
    ['avel', 'ável'],
    ['ivel', 'ível'],
  ],
  french: [
    ['ee', 'ée'],
    ['ees', 'ées'],
  ],
};

/**
 * @param code ISO 639-1 in any case; a region as in `pt-BR` is tolerated and ignored
 * @throws RangeError for one that is not in SEARCH_LANGUAGES
 */
export function loadLanguage(code: string): Language {
  const base = code.toLowerCase().split(/[-_]/)[0] ?? '';
  if (!isKnown(base)) {
    throw new RangeError(`Unknown search language "${code}". Use one of: ${Object.keys(LANGUAGES).join(', ')}.`);
  }
  const source: LanguageSource = LANGUAGES[base];
  const own = source.stemmer === undefined ? undefined : loadStemmer(source.stemmer);
  if (base === 'en') return { stem: englishStemmer(), stopWords: stopWords('eng') };
  if (source.latin)
    return { stem: (word) => (isLatin(word) && own ? own(word) : word), stopWords: stopWords(source.stopWords) };
  const english = englishStemmer();
  return {
    stem: (word) => (isLatin(word) ? english(word) : own ? own(word) : word),
    stopWords: stopWords(source.stopWords, 'eng'),
  };
}

/** Folded words begin with an ASCII letter exactly when they are Latin, but for a few letters no stemmer knows. */
function isLatin(word: string): boolean {
  return word.charCodeAt(0) < 0x250;
}

function englishStemmer(): (word: string) => string {
  const { stem } = require('porter2') as { stem: (word: string) => string };
  // The package's other vowels and suffixes are ASCII: a foreign letter would only make it guess.
  return (word) => (isLatin(word) ? stem(word) : word);
}

function loadStemmer(name: string): (word: string) => string {
  const { stemmer } = require(`@orama/stemmers/${name}`) as { stemmer: (word: string) => string };
  const accented = ACCENTED_SUFFIXES[name] ?? [];
  return (word) => {
    for (const [plain, written] of accented) {
      if (word.endsWith(plain)) return foldWord(stemmer(word.slice(0, -plain.length) + written));
    }
    return foldWord(stemmer(word));
  };
}

function stopWords(...lists: readonly (string | undefined)[]): ReadonlySet<string> {
  const all = require('stopword') as Readonly<Record<string, readonly string[]>>;
  const words = lists.flatMap((list) => (list === undefined ? [] : (all[list] ?? [])));
  const more = lists.includes('eng') ? MORE_ENGLISH_STOP_WORDS.split(' ') : [];
  return new Set([...words, ...more].map((word) => foldWord(word.normalize('NFKC').toLowerCase().trim())));
}
