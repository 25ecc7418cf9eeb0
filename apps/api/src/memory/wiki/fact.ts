/**
 * What a new fact is to the ones that a page has: another, the same, or one of them said more exactly. Pure. Danger: what is
 * taken for the same is not written down, so each answer names the bullet that it was taken for.
 */
import { jaccard } from './page-similarity.ts';

export type FactRelation =
  | { readonly is: 'new' }
  /** Nothing would be added: it is this bullet, or in it. */
  | { readonly is: 'same'; readonly bullet: string }
  /** It holds this bullet and says more. */
  | { readonly is: 'refines'; readonly bullet: string };

/** From which on two facts of the same words are one (SPEC §14). */
const SAME_WORDS = 0.8;
/** Words of a bullet that can be refined: shorter ones stand in many facts. */
const REFINABLE = 4;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * @param bullets of the page, as they stand there
 * @param isContentWord false of words that say nothing by themselves, such as "the"; asked in lower case
 */
export function relateFact(
  fact: string,
  bullets: readonly string[],
  isContentWord: (word: string) => boolean,
): FactRelation {
  const words = wordsOf(fact);
  const known = bullets.map((bullet) => ({ bullet, words: wordsOf(bullet) })).filter((one) => one.words.length > 0);
  // First: a fact that refines a bullet shares most words with it, and would be lost as the same.
  const refined = known
    .filter((old) => old.words.length >= REFINABLE && refines(words, old.words, isContentWord))
    .sort((a, b) => b.words.length - a.words.length)[0];
  if (refined !== undefined) return { is: 'refines', bullet: refined.bullet };
  const same = known.find((old) => isSame(words, old.words));
  return same === undefined ? { is: 'new' } : { is: 'same', bullet: same.bullet };
}

/** A bullet's text as a fact: without its dash, its links and the date on which it was added. */
export function factText(bullet: string): string {
  return bullet
    .replace(/^\s*[-*+]\s+/, '')
    .replace(/!?\[\[[^[\]\n]*\]\]/g, ' ')
    .replace(/\(added \d{4}-\d{2}-\d{2}\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function refines(words: readonly string[], old: readonly string[], isContentWord: (word: string) => boolean): boolean {
  const at = positionOf(old, words);
  if (at === -1) return false;
  const added = [...words.slice(0, at), ...words.slice(at + old.length)];
  const had = new Set(old);
  return added.some((word) => !had.has(word) && isContentWord(word));
}

function isSame(words: readonly string[], old: readonly string[]): boolean {
  if (words.length === 0) return false;
  return positionOf(words, old) !== -1 || jaccard(new Set(words), new Set(old)) >= SAME_WORDS;
}

/** Where one run of words stands in another; -1 where it does not. */
function positionOf(part: readonly string[], whole: readonly string[]): number {
  for (let at = 0; at + part.length <= whole.length; at++) {
    if (part.every((word, i) => whole[at + i] === word)) return at;
  }
  return -1;
}

/** Also of scripts that write no spaces. */
function wordsOf(bullet: string): string[] {
  const text = factText(bullet).normalize('NFKC').toLowerCase();
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
