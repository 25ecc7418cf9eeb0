/**
 * What each character means to the lexical index, and how spellings of one word are folded together. Danger: index
 * and query must pass through exactly the same folding, and whatever a term may hold must be a token character of
 * FTS5's `ascii` tokenizer, or a word is stored under one key and looked up under another.
 */

import { TERM_CHARACTERS } from './terms.ts';

/** Classes of characters in normalised text; words consist of `IGNORED` and above. */
export const CharClass = {
  SEPARATOR: 0,
  CONNECTOR: 1,
  APOSTROPHE: 2,
  SURROGATE: 3,
  /** No letter of its own, but does not end a word: soft hyphen, joiners, harakat, tatweel, stray accents. */
  IGNORED: 4,
  /** `a-z`, `0-9`. */
  ASCII: 5,
  /** Letter, digit or vowel sign of any script that puts spaces between words. */
  LETTER: 6,
  /** Han, Kana, Hangul: indexed by pairs of characters. */
  CJK: 7,
  /** Thai, Lao, Khmer, Burmese: no spaces between words, segmented by dictionary. */
  SEGMENTED: 8,
} as const;

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
// \p{Mn} of the scripts whose marks only decorate; elsewhere (Indic, Thai, Khmer) marks are vowels.
const IGNORED_CHARACTER =
  /\p{Default_Ignorable_Code_Point}|\p{Mn}(?<=[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Cyrillic}])|[\u05F3\u05F4\u0640]/u;
const CJK_CHARACTER = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
const SEGMENTED_CHARACTER = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const DECIMAL_DIGIT = /\p{Nd}/u;

function classify(char: string): number {
  if (TERM_CHARACTERS.includes(char)) return CharClass.CONNECTOR;
  if (char === "'") return CharClass.APOSTROPHE;
  if (/[a-z0-9]/.test(char)) return CharClass.ASCII;
  if (IGNORED_CHARACTER.test(char)) return CharClass.IGNORED;
  if (!WORD_CHARACTER.test(char)) return CharClass.SEPARATOR;
  if (DECIMAL_DIGIT.test(char)) return CharClass.LETTER;
  if (CJK_CHARACTER.test(char)) return CharClass.CJK;
  return SEGMENTED_CHARACTER.test(char) ? CharClass.SEGMENTED : CharClass.LETTER;
}

let table: Uint8Array | undefined;

/** Class of every UTF-16 unit; built on first use, since most programs that import this never analyse a text. */
export function characterClasses(): Uint8Array {
  if (table === undefined) {
    table = new Uint8Array(0x10000);
    for (let unit = 0; unit < 0x10000; unit++) {
      const surrogate = unit >= 0xd800 && unit <= 0xdfff;
      table[unit] = surrogate ? CharClass.SURROGATE : classify(String.fromCharCode(unit));
    }
  }
  return table;
}

/** Class of a code point beyond the BMP, or of a lone surrogate (which separates). */
export function astralClass(codePoint: number): number {
  return codePoint > 0xffff ? classify(String.fromCodePoint(codePoint)) : CharClass.SEPARATOR;
}

// Dashes that keyboards and typography put where a hyphen was meant; apostrophes likewise.
const DASHES = /[\u2010-\u2013\u2212]/g;
const APOSTROPHES = /[\u2018\u2019\u02BC]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** NFKC and lower case, with one dash and one apostrophe: what the scanner reads. */
export function normaliseText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toLowerCase().replace(DASHES, '-').replace(APOSTROPHES, "'");
}

// Letters whose plain form Unicode does not give by decomposition. Cyrillic stays out but for ё and stress marks:
// й, ї, ў are letters of their own, and Russian endings depend on й.
const PLAIN_FORMS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ƒ: 'f',
  ς: 'σ',
  ё: 'е',
  ѐ: 'е',
  ѝ: 'и',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ٱ: 'ا',
};
const STRIPPED_SCRIPTS = /[\p{scx=Latin}\p{scx=Greek}\p{scx=Arabic}]/u;
const foldedCharacters = new Map<string, string>();

function rememberFold(char: string): string {
  const plain = foldCharacter(char);
  foldedCharacters.set(char, plain);
  return plain;
}

function foldCharacter(char: string): string {
  const plain = PLAIN_FORMS[char];
  if (plain !== undefined) return plain;
  if (IGNORED_CHARACTER.test(char)) return '';
  if (DECIMAL_DIGIT.test(char)) return asciiDigit(char);
  if (!STRIPPED_SCRIPTS.test(char)) return char;
  const decomposed = Array.from(char.normalize('NFD')).filter((part) => !IGNORED_CHARACTER.test(part));
  return decomposed.map((part) => PLAIN_FORMS[part] ?? part).join('');
}

/** Decimal digits of every script stand in ascending runs of ten. */
function asciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DECIMAL_DIGIT.test(String.fromCodePoint(codePoint - value - 1))) value++;
  return String(value);
}

/** A word of normalised text in the one spelling all its variants share: case, accents, width, digits folded. */
export function foldWord(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word;
  let folded = '';
  // Upper and back: letters that share a capital (ς and σ, ſ and s, ᲀ and в) meet.
  for (const char of word.toUpperCase().toLowerCase()) {
    const plain = foldedCharacters.get(char) ?? rememberFold(char);
    folded += plain;
  }
  return folded;
}

/** A run without the characters that are no letters of their own; what is left is untouched. */
export function withoutIgnored(run: string): string {
  const classes = characterClasses();
  let kept = '';
  let copied = 0;
  for (let at = 0; at < run.length; at++) {
    if (classes[run.charCodeAt(at)] !== CharClass.IGNORED) continue;
    kept += run.slice(copied, at);
    copied = at + 1;
  }
  return copied === 0 ? run : kept + run.slice(copied);
}
