/**
 * Numbers that are written as words, in English and German, and the digits of Chinese and Japanese. Pure. Danger: "ein" and "eine"
 * are articles far more often than numbers and are left out, so a correction between them and another number may go unseen.
 */

/** Also ordinals, and what says how often. */
const ENGLISH = new Set(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
    'nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion ' +
    'billions trillion trillions dozen dozens half third quarter once twice thrice single double triple first second fourth fifth ' +
    'sixth seventh eighth ninth tenth eleventh twelfth twentieth thirtieth hundredth thousandth both plus minus'
  ).split(' '),
);

const GERMAN = new Set(
  (
    'halb halbe halben halber halbes hälfte drittel viertel dutzend doppelt dreifach erste ersten erster erstes dritte ' +
    'dritten dritter drittes siebte siebten siebter achte achten achter beide beiden plus minus'
  ).split(' '),
);
/** German writes a number in one word: "zweiundzwanzig", "fünftausend", "zwanzigste", "dreimal". */
const GERMAN_COMPOUND = new RegExp(
  `^(?:${'null eins ein zwei zwo zwan drei vier fünf fuenf sechs sech sieben sieb acht neun zehn elf zwölf zwoelf zig ßig ssig und hundert tausend millionen million milliarden milliarde'.replaceAll(' ', '|')}){1,16}(?:s?te[nrsm]?|mal)?$`,
);
const NO_NUMBERS = new Set(['ein', 'und', 'undein', 'einund']);

const HAN = /^[〇零一二三四五六七八九十百千万萬億亿兆両两兩]+$/;

/** @param language ISO 639-1; of one that is not known here, English and German; @returns asked in lower case */
export function numberWords(language: string): (word: string) => boolean {
  const english = language !== 'de';
  const german = language !== 'en';
  return (word) =>
    /\p{N}/u.test(word) || (english && ENGLISH.has(word)) || (german && isGermanNumber(word)) || HAN.test(word);
}

function isGermanNumber(word: string): boolean {
  if (GERMAN.has(word)) return true;
  return word.length <= 80 && GERMAN_COMPOUND.test(word) && !NO_NUMBERS.has(word);
}
