/**
 * What a new fact is to the ones that a page has: another, the same, or one of them said more exactly. Pure. Danger: what is
 * taken for the same is not written down, so each answer names the bullet that it was taken for.
 */
import { linksAsText, type WordSegmenter, wordsOf } from './fact-words.ts';
import { jaccard } from './page-similarity.ts';
import { isHeld, positionsOf, saysTheSame } from './same-fact.ts';
import type { WordKinds } from './telling-words.ts';

export type FactRelation =
  | { readonly is: 'new' }
  /** Nothing would be added: it is this bullet, or in it. */
  | { readonly is: 'same'; readonly bullet: string }
  /** It holds this bullet and says more, or is like it but for a number or a word that denies: it may correct it. */
  | { readonly is: 'refines'; readonly bullet: string };

/** From which on two facts of the same words are one (SPEC §14). */
const SAME_WORDS = 0.8;
/** Words of a bullet that can be refined: shorter ones stand in many facts. */
const REFINABLE = 4;

/** Of either kind, or an embed. */
const LINK = /!?(?:\[\[[^[\]\n]{1,2000}\]\]|\[[^[\]\n]{1,2000}\]\([^()\n]{1,2000}\))/g;

/**
 * @param bullets of the page, as they stand there
 * @param segmenter of words; that of the runtime unless named
 */
export function relateFact(
  fact: string,
  bullets: readonly string[],
  kinds: WordKinds,
  segmenter?: WordSegmenter,
): FactRelation {
  const links = linksAlone(fact);
  if (links !== null) return relateLinks(links, bullets);
  const words = formsOf(fact, segmenter).at(-1) ?? [];
  const known = bullets.flatMap((bullet) =>
    formsOf(bullet, segmenter).map((form, _at, forms) => ({ bullet, words: form, all: forms.at(-1) ?? form })),
  );
  // First of all: what stands there word for word refines nothing else, or a call that is repeated would add it again.
  const held = words.length === 0 ? undefined : known.find((old) => isHeld(words, old.words, kinds));
  if (held !== undefined) return { is: 'same', bullet: held.bullet };
  // Then: a fact that refines a bullet shares most words with it, and would be lost as the same.
  const refined = known
    .filter((old) => old.words.length >= REFINABLE && refines(words, old, kinds.isContentWord))
    .sort((a, b) => b.words.length - a.words.length)[0];
  if (refined !== undefined) return { is: 'refines', bullet: refined.bullet };
  return likest(words, known, kinds);
}

/** One that is nothing but links says that they belong here: what only ends with them says something else. */
function relateLinks(links: readonly string[], bullets: readonly string[]): FactRelation {
  const bullet = bullets.find((one) => {
    const there = linksAlone(one);
    return there !== null && links.every((link) => there.includes(link));
  });
  return bullet === undefined ? { is: 'new' } : { is: 'same', bullet };
}

/**
 * The links of a text, each with the words it is shown as, for they may say something; null where it is not links alone. Those
 * of markdown, `[text](page.md)`, count as those of the wiki.
 */
function linksAlone(text: string): string[] | null {
  const links = withoutMarks(text);
  if (links === '' || links.replace(LINK, '').trim() !== '') return null;
  return (links.match(LINK) ?? []).map((link) => link.toLowerCase().replace(/\s*([[\]|])\s*/g, '$1'));
}

/** Of those that share most words: one that says the same, else the one that is most like it. */
function likest(
  words: readonly string[],
  known: readonly { readonly bullet: string; readonly words: readonly string[] }[],
  kinds: WordKinds,
): FactRelation {
  const own = new Set(words);
  const alike = known
    .map((old) => ({ ...old, likeness: likeness(own, old.words) }))
    .filter((old) => old.likeness >= SAME_WORDS)
    .sort((a, b) => b.likeness - a.likeness);
  const same = alike.find((old) => saysTheSame(words, old.words, kinds));
  if (same !== undefined) return { is: 'same', bullet: same.bullet };
  const [corrected] = alike;
  return corrected === undefined ? { is: 'new' } : { is: 'refines', bullet: corrected.bullet };
}

/** Shared words ÷ all; 0 of what cannot reach the share that counts, which most bullets are soon seen to be. */
function likeness(own: ReadonlySet<string>, words: readonly string[]): number {
  if (words.length < own.size * SAME_WORDS) return 0;
  const theirs = new Set<string>();
  for (const word of words) {
    theirs.add(word);
    if (theirs.size * SAME_WORDS > own.size) return 0;
  }
  return jaccard(own, theirs);
}

/** A bullet's text as a fact: without its marker, the links it ends with and the date on which it was added. */
export function factText(bullet: string): string {
  const text = withoutMarks(bullet);
  return linksAsText(text.slice(0, text.length - trailingLinks(text).length));
}

/** The links that a bullet ends with, as they stand there; empty where it ends with none. */
export function trailingLinks(text: string): string {
  let from = text.length;
  // From the end: an expression for it would look through a line of links once for each of them.
  for (let end = text.trimEnd().length; text.endsWith(']]', end); end = text.slice(0, from).trimEnd().length) {
    const open = text.lastIndexOf('[[', end - 2);
    if (open === -1 || /[[\]\n]/.test(text.slice(open + 2, end - 2))) break;
    from = text[open - 1] === '!' ? open - 1 : open;
  }
  return text.slice(text.slice(0, from).trimEnd().length);
}

/** In one line, without marker, task box, block id and date. */
export function withoutMarks(bullet: string): string {
  return bullet
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/\s\^[A-Za-z0-9-]{1,128}\s*$/, '')
    .replace(/\(added \d{4}-\d{2}-\d{2}\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The words of a bullet without the links it ends with, and with them: those may be what was added when it was written down,
 * or the last words of the fact, as in "is made by [[Bosch]]".
 */
function formsOf(bullet: string, segmenter?: WordSegmenter): string[][] {
  const text = withoutMarks(bullet);
  const links = trailingLinks(text);
  const words = wordsOf(text.slice(0, text.length - links.length), segmenter);
  const forms = [words, ...(links === '' ? [] : [[...words, ...wordsOf(links, segmenter)]])];
  return forms.filter((form) => form.length > 0);
}

function refines(
  words: readonly string[],
  old: { readonly words: readonly string[]; readonly all: readonly string[] },
  isContentWord: (word: string) => boolean,
): boolean {
  const [at] = positionsOf(old.words, words);
  if (at === undefined) return false;
  const added = [...words.slice(0, at), ...words.slice(at + old.words.length)];
  const had = new Set(old.all);
  return added.some((word) => !had.has(word) && isContentWord(word));
}
