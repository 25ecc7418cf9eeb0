/**
 * When two heading texts are the same to a person: one comparison key. Danger: the key is for comparing only; two
 * headings of one note may share it, which is what ordinals are for.
 */
import { plainText } from './plain-text.ts';

/** Folds a heading's markdown: what foldShown folds, and emphasis and code markers, and links (to their text). */
export function foldHeading(markdown: string): string {
  return foldShown(plainText(markdown));
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * Folds text as a reader sees it: normal form (NFKC), case, white space runs, dash variants; soft hyphens and control
 * characters are not seen, and cannot be shown in a line or sent by every client.
 */
export function foldShown(text: string): string {
  // Most headings: nothing but case and spaces can differ.
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  return text
    .normalize('NFKC')
    .replace(/\u00ad|(?!\s)\p{Cc}/gu, '')
    .replace(/[\u2010-\u2015\u2212\u2e3a\u2e3b]/g, '-')
    .toUpperCase()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}
