/**
 * Words cut by a hyphen at a line's end made whole again. Danger: many hyphens there belong to the word, and an identifier
 * that loses its own is never found again; so one goes only between lower-case letters where nothing speaks for it, or where
 * the document itself writes the word without.
 *
 * The rest of the word moves up to the line it began on. What decides, the first that applies:
 *
 * 1. A soft hyphen goes: it is written for line ends only.
 * 2. Nothing is joined before a conjunction (`Ein-` `und Ausgang`), across rows of cells, and behind a number, which may
 *    have its minus there (`50.00-`), unless it is one of several parts (a telephone's) or a year before a year.
 * 3. Next to a digit the hyphen stays: no word is cut there (`COVID-` `19`).
 * 4. The document's own spelling within its lines: written with a hyphen it stays, written solid it goes.
 * 5. Before a capital, and behind a part with a capital inside, it stays (`E-` `Mail`, `Kfz-` `Versicherung`, `EL-` `X`):
 *    words are cut before small letters. Where a line in capitals was cut it stays too, for want of a way to tell.
 * 6. It stays after a single letter (`e-` `mail`), within a chain (`state-of-the-` `art`) and where English writes it
 *    whatever the place in the line (english-compounds.ts); in an English document also where both halves are words of it.
 * 7. Else it goes; always so in German, where a compound with a hyphen goes on with a capital, and any other is solid.
 *
 * Measured on prose set 42 characters wide, words cut where a hyphenation dictionary cuts them: of 366 English compounds cut in
 * 700 abstracts 212 came out whole (142 when only a spelling with a hyphen elsewhere counted), of 473 in 150 German
 * pages 437 (6), and of 8 335 solid words all but 8 (9).
 */
import { isEnglishCompound, linksChain } from './english-compounds.ts';

const SOFT = '\u00ad';
const ENDS_IN_HYPHEN = /[-\u2010\u00ad]$/;
/** The last word of a line, without what stands before it in quotes or brackets. */
const CUT_WORD =
  /(?:^|\s)\p{P}*(?<word>[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’_./-]*[\p{L}\p{N}\p{M}])?)(?<hyphen>[-\u2010\u00ad])$/u;
/** What goes on, up to the next space. */
const NEXT_WORD = /^(?<rest>[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*)(?<end>\S*)(?=\s|$)/u;
/** A word as it may be cut: capitals only at its start. */
const PLAIN_WORD = /^\p{L}[\p{Ll}\p{Lo}\p{M}'’-]*$/u;
const PLAIN_REST = /^[\p{Ll}\p{M}'’-]+$/u;
/** Words and compounds. */
const WRITTEN = /[\p{L}\p{M}\p{N}'’]+(?:[-\u2010][\p{L}\p{M}\p{N}'’]+)*/gu;
/** Parts of a number: of a telephone, of a date, of an ISBN. */
const NUMBER_OF_PARTS = /^\p{N}+(?:[-/]\p{N}+)+$/u;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
/** Before which the second half of a compound is left for the word after; none that is a syllable of many words, as `to` is. */
const CONJUNCTIONS = new Set(['und', 'oder', 'bzw', 'sowie', 'bis', 'and', 'or', 'et', 'ou']);
/** Shorter halves are syllables of too many words. */
const MIN_HALF = 3;
/** In English at least so many words are `the`, in no other language any. */
const ENGLISH = 0.015;
/** Longer words and lines are no prose, and would only make the patterns slow. */
const MAX_WORD = 200;
const MAX_LINE = 2_000;

/** How a document writes, within its lines, the words that it cuts at their ends; in lower case. */
export interface Spellings {
  readonly hyphened: ReadonlySet<string>;
  readonly solid: ReadonlySet<string>;
  /** Their halves, where those are words by themselves; none in a document that is not English. */
  readonly halves: ReadonlySet<string>;
}

export function spellingsIn(lines: readonly string[]): Spellings {
  const cuts = lines.map((line, at) => partsAround(line, lines[at + 1] ?? ''));
  const parts = cuts.filter((cut) => cut !== null);
  const wholes = new Set(parts.flatMap(spelled).flatMap(({ solid, hyphened }) => [solid, hyphened]));
  const halves = new Set(parts.flatMap(({ last, rest }) => [last.toLowerCase(), rest.toLowerCase()]));
  const found = { hyphened: new Set<string>(), solid: new Set<string>(), halves: new Set<string>() };
  let [all, english] = [0, 0];
  for (const { word, isCut } of parts.length === 0 ? [] : wordsOf(lines, cuts)) {
    all++;
    if (word === 'the') english++;
    if (wholes.has(word)) found[word.includes('-') ? 'hyphened' : 'solid'].add(word);
    if (!isCut && word.length >= MIN_HALF && halves.has(word)) found.halves.add(word);
  }
  return english >= all * ENGLISH ? found : { ...found, halves: new Set() };
}

/** @param cuts for each line, what is cut between it and the next */
function* wordsOf(
  lines: readonly string[],
  cuts: readonly (Parts | null)[],
): Generator<{ word: string; isCut: boolean }> {
  for (const [at, line] of lines.entries()) {
    if (line.length > MAX_LINE) continue;
    for (const { 0: written, index } of line.matchAll(WRITTEN)) {
      const isFirst = index === 0 && !!cuts[at - 1];
      const isLast = index + written.length === line.length - 1 && !!cuts[at];
      yield { word: written.toLowerCase().replaceAll('\u2010', '-'), isCut: isFirst || isLast };
    }
  }
}

/**
 * @param spellings of the whole document, where more of it than these lines is at hand
 * @returns as many lines or fewer: a line whose only word moved up is gone
 */
export function joinHyphens(lines: readonly string[], spellings: Spellings = spellingsIn(lines)): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const before = joined.at(-1);
    const parts = before === undefined ? null : partsAround(before, line);
    const stays = parts === null ? null : hyphenStays(parts, spellings);
    if (before === undefined || parts === null || stays === null) {
      joined.push(line);
      continue;
    }
    const moved = `${parts.rest}${parts.end}`;
    joined[joined.length - 1] = `${before.slice(0, -1)}${stays ? '-' : ''}${moved}`;
    const left = line.slice(moved.length).trimStart();
    if (left !== '') joined.push(left);
  }
  return joined.map((line) => line.replaceAll(SOFT, ''));
}

interface Parts {
  readonly word: string;
  /** The word, or what of it stands behind its last hyphen or stroke. */
  readonly last: string;
  readonly isSoft: boolean;
  readonly rest: string;
  /** What follows the rest without a space: punctuation as a rule. */
  readonly end: string;
  /** The line before has several cells. */
  readonly fromCells: boolean;
}

/** @returns null where no word is cut, or none that goes on in the next line */
function partsAround(before: string, line: string): Parts | null {
  if (before.length > MAX_LINE || !ENDS_IN_HYPHEN.test(before)) return null;
  const cut = CUT_WORD.exec(before.slice(-MAX_WORD))?.groups;
  const next = NEXT_WORD.exec(line.slice(0, MAX_WORD))?.groups;
  if (!cut?.word || !next?.rest) return null;
  const { word, hyphen } = cut;
  const { rest, end = '' } = next;
  if (rest.length + end.length >= MAX_WORD) return null;
  const fromCells = before.includes('\t');
  if (fromCells && line.includes('\t')) return null;
  return { word, last: word.split(/[-/]/).at(-1) ?? word, isSoft: hyphen === SOFT, rest, end, fromCells };
}

/** The ways in which the whole or its last part may stand elsewhere. */
function spelled({ word, last, rest }: Parts): { solid: string; hyphened: string }[] {
  return [...new Set([word, last])].map((part) => ({
    solid: `${part}${rest}`.toLowerCase(),
    hyphened: `${part}-${rest}`.toLowerCase(),
  }));
}

/** @returns null where nothing is to be joined */
function hyphenStays(parts: Parts, spellings: Spellings): boolean | null {
  const { word, last, isSoft, rest, end, fromCells } = parts;
  if (isSoft) return false;
  if (CONJUNCTIONS.has(rest)) return null;
  const isPlain = PLAIN_WORD.test(last) && /\p{Ll}$/u.test(last) && PLAIN_REST.test(rest);
  if (isPlain ? /[\p{L}\p{N}]/u.test(end) : fromCells) return null;
  if (!/\p{L}/u.test(word)) return isNumberOfParts(word, rest) ? true : null;
  if (/\p{N}$/u.test(word) || /^\p{N}/u.test(rest)) return true;
  const ways = spelled(parts);
  if (ways.some(({ hyphened }) => spellings.hyphened.has(hyphened))) return true;
  if (ways.some(({ solid }) => spellings.solid.has(solid))) return false;
  if (isPlain) return belongs(parts) || [last, rest].every((half) => spellings.halves.has(half.toLowerCase()));
  return /^\p{Lu}/u.test(rest) || /\p{Lu}/u.test(last.slice(1)) ? true : null;
}

function isNumberOfParts(word: string, rest: string): boolean {
  return (NUMBER_OF_PARTS.test(word) && /^\p{N}/u.test(rest)) || (YEAR.test(word) && YEAR.test(rest));
}

function belongs({ word, last, rest }: Parts): boolean {
  if (last.length === 1 || isEnglishCompound(last.toLowerCase(), rest)) return true;
  return last !== word && linksChain(last.toLowerCase());
}
