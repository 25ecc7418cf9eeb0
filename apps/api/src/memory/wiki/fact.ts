/**
 * What a new fact is to the ones that a page has: another, the same, or one of them said more exactly. Pure. Danger: what is
 * taken for the same is not written down, so each answer names the bullet that it was taken for.
 */
import { jaccard } from './page-similarity.ts';
import { holdsSign, signsAsLetters } from './word-signs.ts';

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

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Both are asked in lower case. */
export interface WordKinds {
  /** False of words that say nothing by themselves, such as "the". */
  isContentWord(word: string): boolean;
  /** Of numbers and of words that deny: see tellingWords. */
  isTelling(word: string): boolean;
}

/** @param bullets of the page, as they stand there */
export function relateFact(fact: string, bullets: readonly string[], kinds: WordKinds): FactRelation {
  const links = linksAlone(fact);
  if (links !== null) return relateLinks(links, bullets);
  const words = wordsOf(withoutMarks(fact));
  const known = bullets.flatMap((bullet) =>
    formsOf(bullet).map((form, _at, forms) => ({ bullet, words: form, all: forms.at(-1) ?? form })),
  );
  // First of all: what stands there word for word refines nothing else, or a call that is repeated would add it again.
  const held = words.length === 0 ? undefined : known.find((old) => positionOf(words, old.words) !== -1);
  if (held !== undefined) return { is: 'same', bullet: held.bullet };
  // Then: a fact that refines a bullet shares most words with it, and would be lost as the same.
  const refined = known
    .filter((old) => old.words.length >= REFINABLE && refines(words, old, kinds.isContentWord))
    .sort((a, b) => b.words.length - a.words.length)[0];
  if (refined !== undefined) return { is: 'refines', bullet: refined.bullet };
  return likest(words, known, (word) => holdsSign(word) || kinds.isTelling(word));
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
  isTelling: WordKinds['isTelling'],
): FactRelation {
  const own = new Set(words);
  const alike = known
    .map((old) => ({ ...old, likeness: jaccard(own, new Set(old.words)) }))
    .filter(({ likeness }) => likeness >= SAME_WORDS)
    .sort((a, b) => b.likeness - a.likeness);
  // In their order: "from 8 to 10" is not "from 10 to 8".
  const telling = words.filter(isTelling).join(' ');
  const same = alike.find((old) => old.words.filter(isTelling).join(' ') === telling);
  if (same !== undefined) return { is: 'same', bullet: same.bullet };
  const [corrected] = alike;
  return corrected === undefined ? { is: 'new' } : { is: 'refines', bullet: corrected.bullet };
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
function formsOf(bullet: string): string[][] {
  const text = withoutMarks(bullet);
  const links = trailingLinks(text);
  const forms = [...(links === '' ? [] : [wordsOf(text.slice(0, text.length - links.length))]), wordsOf(text)];
  return forms.filter((words) => words.length > 0);
}

function refines(
  words: readonly string[],
  old: { readonly words: readonly string[]; readonly all: readonly string[] },
  isContentWord: (word: string) => boolean,
): boolean {
  const at = positionOf(old.words, words);
  if (at === -1) return false;
  const added = [...words.slice(0, at), ...words.slice(at + old.words.length)];
  const had = new Set(old.all);
  return added.some((word) => !had.has(word) && isContentWord(word));
}

/** Where one run of words stands in another; -1 where it does not. */
function positionOf(part: readonly string[], whole: readonly string[]): number {
  for (let at = 0; at + part.length <= whole.length; at++) {
    if (part.every((word, i) => whole[at + i] === word)) return at;
  }
  return -1;
}

/** A link within a fact is one of its words: without it, two facts about two things would be one. */
function linksAsText(text: string): string {
  return text.replace(/!?\[\[([^[\]\n]{0,400})\]\]/g, (_link, inner: string) => ` ${inner.split('|').at(-1)} `);
}

/** Also of scripts that write no spaces. */
function wordsOf(fact: string): string[] {
  const text = signsAsLetters(linksAsText(fact).normalize('NFKC').toLowerCase());
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));
}
