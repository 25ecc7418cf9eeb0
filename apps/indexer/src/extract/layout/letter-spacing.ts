/**
 * Words set with a gap after every letter (`R E C H N U N G`) as words. Danger: a list of letters and the initials of
 * weekdays look the same, so a word is four letters long at least, has vowels and consonants and is no part of
 * the alphabet. The parser gives gaps that are narrow as spaces and drops a second one, so two words parted by no more
 * come out as one.
 */
import type { Run } from './model.ts';

/** Letters that make a word by themselves; shorter ones are words where such a one is in the same type beside them. */
const MIN_LETTERS = 4;
const SPREAD = /(?<![\p{L}\p{N}])\p{L}(?: \p{L})+(?: ?[:.!?])?(?![\p{L}\p{N}])/gu;
const VOWEL = /[aeiouyäöüàâéèêëíîïóôúùûåæøαεηιουωаеёиоуыэюя]/iu;
const CONSONANT =
  /(?![aeiouyäöüàâéèêëíîïóôúùûåæøαεηιουωаеёиоуыэюя])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/iu;
/** In one case, but for a first capital. */
const CASED = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;
/** Gap, in sizes, that middling letters of a word have where they are runs of their own: others are merely placed one by one. */
const LETTER_GAP = 0.12;
/** A gap so many times as wide ends the word. */
const WORD_GAP = 1.5;

/** Of each type that some word of the row is spread in, what `withoutSpreading` has to know. */
export type SpreadTypes = ReadonlySet<string>;

/** @param runs of one row */
export function spreadTypes(runs: readonly Run[]): SpreadTypes {
  const found = new Set<string>();
  for (const group of letterGroups(runs)) {
    const [first] = group;
    if (first === undefined) continue;
    if (group.length > 1 && usualGap(group) < LETTER_GAP * first.size) continue;
    const texts = group.length > 1 ? [group.map(({ text }) => text).join(' ')] : (first.text.match(SPREAD) ?? []);
    if (texts.some(isWord)) found.add(typeOf(first));
  }
  return found;
}

/** @param runs of one segment, from left to right @returns them with letters that make a word joined */
export function withoutSpreading(runs: readonly Run[], types: SpreadTypes): readonly Run[] {
  if (types.size === 0) return runs;
  return letterGroups(runs).flatMap((group) => {
    const [first] = group;
    if (first === undefined || !types.has(typeOf(first))) return group;
    return group.length > 1 ? words(group) : [{ ...first, text: first.text.replace(SPREAD, closed) }];
  });
}

function closed(spread: string): string {
  return spread.replaceAll(' ', '');
}

function isWord(spread: string): boolean {
  const letters = [...spread.replace(/[^\p{L}]/gu, '')];
  if (letters.length < MIN_LETTERS || !CASED.test(letters.join('')) || !letters.some((letter) => VOWEL.test(letter)))
    return false;
  if (!letters.some((letter) => CONSONANT.test(letter))) return false;
  const steps = letters.slice(1).map((letter, at) => codeOf(letter) - codeOf(letters[at]));
  return steps.some((step) => step < 1 || step > 2);
}

function codeOf(letter: string | undefined): number {
  return letter?.toLowerCase().codePointAt(0) ?? 0;
}

/** Single letters of one type in a row together, any other run by itself. */
function letterGroups(runs: readonly Run[]): Run[][] {
  const groups: Run[][] = [];
  for (const run of runs) {
    const before = groups.at(-1)?.at(-1);
    const goesOn = before && isLetter(before) && isLetter(run) && typeOf(before) === typeOf(run);
    if (goesOn) groups.at(-1)?.push(run);
    else groups.push([run]);
  }
  return groups;
}

function isLetter({ text }: Run): boolean {
  return /^\p{L}\p{M}*$/u.test(text);
}

function typeOf({ font, size }: Run): string {
  return `${font} ${size.toFixed(1)}`;
}

/** Letters that are runs of their own, as one run for each word. */
function words(letters: readonly Run[]): Run[] {
  const usual = usualGap(letters);
  const found: Run[] = [];
  for (const [at, run] of letters.entries()) {
    const open = found.at(-1);
    if (open && gapBefore(letters, at) <= usual * WORD_GAP) {
      found[found.length - 1] = { ...open, text: open.text + run.text, width: run.x + run.width - open.x };
    } else found.push(run);
  }
  return found;
}

function usualGap(letters: readonly Run[]): number {
  const gaps = letters.slice(1).map((_, at) => gapBefore(letters, at + 1));
  return gaps.sort((a, b) => a - b)[(gaps.length - 1) >> 1] ?? 0;
}

function gapBefore(letters: readonly Run[], at: number): number {
  const [before, run] = [letters[at - 1], letters[at]];
  return before && run ? run.x - before.x - before.width : 0;
}
