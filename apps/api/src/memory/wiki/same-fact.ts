/**
 * Whether the words of two facts say the same: one in the other, or nearly the same words. Pure. Danger: what is taken for the
 * same is not written down; so nothing is held by a longer number or by what denies it, and a number, a day, a unit or an opposite
 * that differs makes another fact of it.
 */
import type { WordKinds } from './telling-words.ts';
import { holdsSign } from './word-signs.ts';

/** Whether a fact's words stand in a bullet's, one after the other, and mean there what they mean alone. */
export function isHeld(part: readonly string[], whole: readonly string[], kinds: WordKinds): boolean {
  for (const at of positionsOf(part, whole)) {
    const end = at + part.length;
    if (!changes(whole[at - 1], part[0], kinds) && !changes(whole[end], part.at(-1), kinds)) return true;
  }
  return false;
}

/** Whether what stands beside the end of a run of words makes something else of it: "5" beside "000", "open" beside "not". */
function changes(beside: string | undefined, word: string | undefined, kinds: WordKinds): boolean {
  if (beside === undefined || word === undefined) return false;
  if (kinds.denies(beside)) return true;
  return (kinds.isNumber(beside) || holdsSign(beside)) && kinds.isNumber(word);
}

/**
 * Of facts that share most words.
 *
 * @returns false where one may correct the other
 */
export function saysTheSame(one: readonly string[], other: readonly string[], kinds: WordKinds): boolean {
  // In their order: "from 8 to 10" is not "from 10 to 8".
  const telling = (words: readonly string[]) =>
    words.filter((word) => holdsSign(word) || kinds.isTelling(word)).join(' ');
  if (telling(one) !== telling(other)) return false;
  const [ones, others] = [new Set(one), new Set(other)];
  const swapped = (word: string, instead: string) => word !== instead && (!others.has(word) || !ones.has(instead));
  const units = unitsOf(other, kinds);
  if (unitsOf(one, kinds).some((unit, at) => isSwap(unit, units[at], swapped))) return false;
  return ![...ones].some(
    (word) =>
      !others.has(word) && kinds.oppositesOf(word).some((opposite) => others.has(opposite) && !ones.has(opposite)),
  );
}

/** Of "5 mg" beside "5 kg", not of "in 1999 Bosch" beside "Bosch in 1999": only what the other does not say at all. */
function isSwap(
  unit: string | undefined,
  instead: string | undefined,
  swapped: (word: string, instead: string) => boolean,
): boolean {
  return unit !== undefined && instead !== undefined && swapped(unit, instead);
}

/** What follows each number; undefined where that says nothing. */
function unitsOf(words: readonly string[], { isNumber, isContentWord }: WordKinds): readonly (string | undefined)[] {
  return words.flatMap((word, at) => {
    if (!isNumber(word)) return [];
    const next = words[at + 1];
    return [next !== undefined && isContentWord(next) ? next : undefined];
  });
}

/** Where one run of words stands in another (Knuth, Morris and Pratt: a bullet may be as long as a note, of one word). */
export function* positionsOf(part: readonly string[], whole: readonly string[]): Generator<number> {
  if (part.length > whole.length) return;
  const back = fallbacks(part);
  let matched = 0;
  for (const [at, word] of whole.entries()) {
    while (matched > 0 && (matched === part.length || part[matched] !== word)) matched = back[matched - 1] ?? 0;
    if (part[matched] === word) matched++;
    if (matched === part.length && matched > 0) yield at + 1 - matched;
  }
}

/** For each run of words from the beginning: how many of its last ones are its first ones too. */
function fallbacks(part: readonly string[]): readonly number[] {
  const back = [0];
  let matched = 0;
  for (let at = 1; at < part.length; at++) {
    while (matched > 0 && part[at] !== part[matched]) matched = back[matched - 1] ?? 0;
    if (part[at] === part[matched]) matched++;
    back[at] = matched;
  }
  return back;
}
