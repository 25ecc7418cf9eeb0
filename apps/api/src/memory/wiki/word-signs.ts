/**
 * Signs, of which a word segmenter knows nothing, as words: "-18", "5 €", "C++", "A-", "< 5 mg", "✅". A sign is a part of the
 * word that it touches or belongs to, else a word of its own. Pure. Danger: one that is dropped leaves two facts that differ by
 * nothing else, and the second would never be written down; so whatever is in doubt counts.
 */

/** What a sign's letters begin and end with: no word has them. */
const MARK = 'qxq';
const END = 'z';

/** Marks of a text that say nothing of what it means: escapes, struck and highlighted text, an address in angle brackets. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/~~(?=\S)([^~]{1,2000})~~/g, '$1'],
  [/==(?=\S)([^=]{1,2000})==/g, '$1'],
  [/<([a-z][a-z\d+.-]{1,30}:[^<>\s]{1,2000})>/g, '$1'],
  [/\\(?=[!-/:-@[-`{-~])/g, ''],
];

/** A dash is a minus in front of an amount or behind a word; between words, or in front of a list's item, it is none. */
const MINUS: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])[-–](?=(?:\p{S}+\s?)?\.?\p{N})/gu, '−'],
  [/(?<=[\p{L}\p{N}])[-–]+(?=$|[\s.,;:!?)\]}"'*_])/gu, '−'],
];

/** Where a sign stands does not matter where it has the same meaning there: "€5", "€ 5" and "5 €", "<5" and "< 5". */
const PLACES: readonly (readonly [RegExp, string])[] = [
  // In front of an amount, but not of the next one: "5 € 10 times".
  [/(?<![\p{L}\p{N}])(?:(?<!\p{N}\s)(\p{Sc})\s|(\p{Sc}))(−?\.?\p{N}(?:[\p{N}.,]*\p{N})?)/gu, '$3$1$2'],
  [/(?<=\p{N})\s+(?=[%‰°\p{Sc}])/gu, ''],
  [/(?<=\p{L})\s+(?=[%‰°\p{Sc}](?![\p{L}\p{N}]))/gu, ''],
  [/(?<![\p{L}\p{N}\p{Sm}#§])([\p{Sm}#§]+)\s+(?=\.?\p{N})/gu, '$1'],
  [/(?<=[\p{L}\p{N}])\s\/\s(?=[\p{L}\p{N}])/gu, '/'],
  // ".5" is not 5.
  [/(?<![\p{L}\p{N}.])\.(?=\p{N})/gu, '0.'],
];

/** Pictures and flags touch words without being a part of them. */
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/gu;
/**
 * Feet, inches, "5:3", "5/3" and "5*3" are signs; "a/b", "/etc" and ".env" too, "@ruth", "§ 5", "a | b", and "!done" and "a != b".
 * Quotation marks are none, nor is what ends a sentence, or parts an address from its "https:".
 */
const SIGN =
  /(?!`)[\p{S}#%‰‱′@&§¶†‡]|(?<=\p{N})['"](?![\p{L}\p{N}])|(?<=\p{N})[*:](?=\p{N})|(?<![/:])\/(?=[\p{L}\p{N}])|\\(?=[\p{L}\p{N}])|(?<!\S)\.(?=\p{L})|!(?=!{0,9}[=\p{L}\p{N}$@])|(?<![\p{L}\p{N}!])!(?=!{0,9}\()/gu;

/** @param text in lower case, NFKC; "€ 5" and "5 €" come to the same word, "5" and "C" to another */
export function signsAsLetters(text: string): string {
  return [...MARKUP, ...MINUS, ...PLACES]
    .reduce((current, [from, to]) => current.replace(from, to), text)
    .replace(/\S+/g, countShout)
    .replace(PICTURE, (sign) => ` ${asLetters(sign)} `)
    .replace(SIGN, asLetters);
}

/** Whether a word of such a text holds one. */
export function holdsSign(word: string): boolean {
  return word.includes(MARK);
}

/** Its number, in letters only: a digit would make another number of one that it touches. */
function asLetters(sign: string): string {
  const number = (sign.codePointAt(0) ?? 0).toString(16);
  return `${MARK}${number.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}${END}`;
}

/**
 * An exclamation mark ends a sentence, but behind letters among digits or signs it is a password's: "hunter2!". Whether the
 * sentence ends there too, nobody knows.
 */
function countShout(piece: string): string {
  let end = piece.length;
  while (/[.,;:)\]}"'*_]/.test(piece.charAt(end - 1))) end--;
  let head = end;
  while (piece.charAt(head - 1) === '!') head--;
  const word = piece.slice(0, head);
  if (head === end || !/\p{L}/u.test(word) || !/[\p{N}@$&]/u.test(word)) return piece;
  return word + asLetters('!').repeat(end - head) + piece.slice(end);
}
