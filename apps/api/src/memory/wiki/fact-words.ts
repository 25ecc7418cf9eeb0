/**
 * The words of a fact, in any script. Pure. Danger: a bullet may be as long as a note, and a segmenter gives every word a copy of
 * the text that it was given; so it only ever sees a short piece, or one long line takes gigabytes.
 */
import { signsAsLetters } from './word-signs.ts';

/** A piece of a text: a segmenter of words. */
export type WordSegmenter = Pick<Intl.Segmenter, 'segment'>;

/** Most that a segmenter is given, in UTF-16 units; of scripts that write no blanks a line is one piece. */
export const PIECE = 256;
/** What is segmented again with what follows it: the last words of a piece may go on, or be others with more behind them. */
const OVERLAP = 64;

/** What needs no dictionary: letters of a script that writes blanks, and digits, with the marks of a sentence about them. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic'];
const LETTERS = `[\\p{L}\\p{M}]&&[${SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`;
const PLAIN = new RegExp(`^["'\\(,.:;?!“”‘’„«]*([[${LETTERS}]\\d]+)["'\\),.:;?!“”‘’»]*$`, 'v');

/**
 * Digits in groups of three, parted by one kind of mark: blanks of all widths (NFKC makes them one), or the apostrophe of the Swiss.
 * A number that begins with 0 is a telephone's and stays as it is.
 */
const GROUPED = /(?<![\p{N}.,'’])[1-9]\d{0,2}([ '’])\d{3}(?:\1\d{3})*(?!\p{N})/gu;
/** NFKC would make another number of it: "10²" is not 102. */
const RAISED = /(?<=\d)[⁰¹²³⁴-⁹]+/gu;

const words = new Intl.Segmenter('und', { granularity: 'word' });

/** In lower case; signs are parts of their words (word-signs.ts), numbers are without the marks that group their digits. */
export function wordsOf(fact: string, segmenter: WordSegmenter = words): string[] {
  const normal = linksAsText(fact).replace(RAISED, '^$&').normalize('NFKC').toLowerCase();
  const text = signsAsLetters(normal.replace(GROUPED, (number) => number.replace(/[ '’]/g, '')));
  const found: string[] = [];
  for (const [piece] of text.matchAll(/\S+/g)) {
    const plain = PLAIN.exec(piece)?.[1];
    if (plain !== undefined) found.push(plain);
    else for (const word of segmented(piece, segmenter)) found.push(word);
  }
  return found;
}

/** A link within a fact is one of its words: without it, two facts about two things would be one. */
export function linksAsText(text: string): string {
  return text.replace(/!?\[\[([^[\]\n]{0,400})\]\]/g, (_link, inner: string) => ` ${inner.split('|').at(-1)} `);
}

function* segmented(piece: string, segmenter: WordSegmenter): Generator<string> {
  for (let at = 0; at < piece.length; ) {
    const end = endOf(piece, at);
    let next = end;
    for (const { segment, index, isWordLike } of segmenter.segment(piece.slice(at, end))) {
      // One that fills the whole piece is cut, or it would be begun again for ever.
      if (end < piece.length && index > 0 && mayGoOn(segment, index, end - at)) {
        next = at + index;
        break;
      }
      if (isWordLike) yield segment;
    }
    at = next;
  }
}

function mayGoOn(segment: string, index: number, length: number): boolean {
  return index >= length - OVERLAP || index + segment.length === length;
}

/** Not within a character. */
function endOf(piece: string, at: number): number {
  const end = Math.min(piece.length, at + PIECE);
  const last = piece.charCodeAt(end - 1);
  return end < piece.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
