/**
 * Where sentences start and where a text may be cut at all. By punctuation of many scripts, not by Intl.Segmenter,
 * whose result changes with the runtime: a warm cache and a cold build have to agree.
 */

/** Ends a sentence only before white space: it also stands in numbers, names and paths. */
const SPACED_ENDS = new Set('.!?…');
/** Ends a sentence wherever it stands: CJK, Devanagari, Arabic, Urdu, Khmer, Burmese, Ethiopic. */
const UNSPACED_ENDS = new Set('。！？｡।॥؟۔។။።');
const CLOSERS = new Set('"\'”’»)]）」』】*_`');
const SPACE = /\s/;
/** A mark, joiner or second half of a pair belongs to the character before: a cut there would show half a letter. */
const CONTINUES_CHARACTER = /^(?:\p{M}|\u200d|[\udc00-\udfff])/u;
/** A pile of marks longer than this is no letter anyone reads. */
const MAX_MARKS = 8;

/** Offsets in `(from, to)` at which a sentence starts, in order. */
export function sentenceStarts(text: string, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at++) {
    const char = text.charAt(at);
    const unspaced = UNSPACED_ENDS.has(char);
    if (!unspaced && !SPACED_ENDS.has(char)) continue;
    let end = at + 1;
    while (end < to && CLOSERS.has(text.charAt(end))) end += 1;
    const start = skipSpace(text, end, to);
    if (start < to && (unspaced || start > end)) starts.push(start);
    at = end - 1;
  }
  return starts;
}

/** Offsets in `(from, to)` at which a line starts, in order. */
export function lineStarts(text: string, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let feed = text.indexOf('\n', from); feed !== -1 && feed + 1 < to; feed = text.indexOf('\n', feed + 1)) {
    starts.push(feed + 1);
  }
  return starts;
}

/**
 * The best place at or before `limit` to cut `[from, …)`: after white space in the last quarter, else between two
 * characters. Always beyond `from`.
 */
export function cutBefore(text: string, from: number, limit: number): number {
  const earliest = limit - Math.floor((limit - from) / 4);
  for (let at = limit; at > earliest; at--) if (SPACE.test(text.charAt(at - 1))) return at;
  return characterStart(text, from, limit);
}

/** `at` moved back, never to `from`, so that it splits no character. */
function characterStart(text: string, from: number, at: number): number {
  for (let start = at; start > from && at - start < MAX_MARKS; start--) {
    if (!continuesCharacter(text, start)) return start;
  }
  return at;
}

/** `at` moved forward, at most to `to`, so that it splits no character. */
export function nextCharacterStart(text: string, at: number, to: number): number {
  let start = at;
  while (start < to && continuesCharacter(text, start)) start += 1;
  return start;
}

function continuesCharacter(text: string, at: number): boolean {
  return CONTINUES_CHARACTER.test(text.slice(at, at + 2));
}

/** The first word in `[from, to)` that follows white space; `to` when there is none. */
export function wordStart(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && !SPACE.test(text.charAt(at))) at += 1;
  return skipSpace(text, at, to);
}

function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && SPACE.test(text.charAt(at))) at += 1;
  return at;
}
