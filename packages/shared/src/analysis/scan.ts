/**
 * Cuts normalised text into the stretches the analyzer turns into terms: words, compounds (`DEC-0054`), CJK runs and
 * runs of scripts without spaces. One linear pass over UTF-16 units, no regular expression per token: this is the
 * hottest loop of indexing. Danger: it must never look back, or a hostile text makes it quadratic.
 */
import { astralClass, CharClass, characterClasses } from './characters.ts';

/** A longer stretch without a space is a blob (base64, minified code), which nobody searches for: it gives no terms. */
const MAX_STRETCH = 512;
/** A stretch of this length makes it worth looking whether it stands in a blob. */
const SUSPECT_STRETCH = 100;

/** Receives the stretches in order; `from` and `to` are offsets into the scanned text. */
export interface StretchSink {
  word(raw: string, from: number, to: number): void;
  /** `parts` are the words between the connectors; `raw` is the whole, at least two parts or a trailing `++` or `#`. */
  compound(raw: string, parts: readonly string[], from: number, to: number): void;
  cjk(run: string, from: number, to: number): void;
  segmented(run: string, from: number, to: number): void;
}

/** @param text as `normaliseText` gives it */
export function scanStretches(text: string, sink: StretchSink): void {
  const classes = characterClasses();
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at, classes);
    if (kind < CharClass.ASCII) at += 1;
    else if (kind === CharClass.CJK || kind === CharClass.SEGMENTED) {
      const end = runEnd(text, at, kind, classes);
      const run = text.slice(at, end);
      if (kind === CharClass.CJK) sink.cjk(run, at, end);
      else sink.segmented(run, at, end);
      at = end;
    } else at = scanWord(text, at, classes, sink);
  }
}

function classAt(text: string, at: number, classes: Uint8Array): number {
  const kind = classes[text.charCodeAt(at)] ?? CharClass.SEPARATOR;
  return kind === CharClass.SURROGATE ? astralClass(text.codePointAt(at) ?? 0) : kind;
}

function step(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** End of a run of one class, ignored characters included. */
function runEnd(text: string, from: number, kind: number, classes: Uint8Array): number {
  let at = from;
  while (at < text.length) {
    const here = classAt(text, at, classes);
    if (here !== kind && here !== CharClass.IGNORED) break;
    at += step(text, at);
  }
  return at;
}

/** End of the letters and digits that start at `from`, apostrophes between them included. */
function wordEnd(text: string, from: number, classes: Uint8Array): number {
  let at = from;
  for (;;) {
    const kind = classes[text.charCodeAt(at)]; // undefined past the end
    if (kind === CharClass.ASCII || kind === CharClass.LETTER || kind === CharClass.IGNORED) at += 1;
    else if (kind === CharClass.SURROGATE && isWordClass(classAt(text, at, classes))) at += 2;
    else if (kind === CharClass.APOSTROPHE && at > from && startsWord(text, at + 1, classes)) at += 1;
    else return at;
  }
}

function isWordClass(kind: number): boolean {
  return kind === CharClass.ASCII || kind === CharClass.LETTER;
}

function startsWord(text: string, at: number, classes: Uint8Array): boolean {
  return at < text.length && isWordClass(classAt(text, at, classes));
}

function scanWord(text: string, from: number, classes: Uint8Array, sink: StretchSink): number {
  let end = wordEnd(text, from, classes);
  const firstEnd = end;
  let next = nextPart(text, end, classes);
  const parts: string[] = [];
  while (next !== 0) {
    if (parts.length === 0) parts.push(text.slice(from, end));
    end = wordEnd(text, next, classes);
    parts.push(text.slice(next, end));
    next = nextPart(text, end, classes);
  }
  const suffixEnd = symbolSuffixEnd(text, end, classes);
  if (suffixEnd - from > SUSPECT_STRETCH) {
    const unbroken = unbrokenEnd(text, suffixEnd);
    if (unbroken - from > MAX_STRETCH) return unbroken;
  }
  const raw = text.slice(from, suffixEnd);
  if (suffixEnd === firstEnd) sink.word(raw, from, suffixEnd);
  else sink.compound(raw, parts.length > 0 ? parts : [text.slice(from, firstEnd)], from, suffixEnd);
  return suffixEnd;
}

/** End of the printable ASCII that goes on at `from` without a space. */
function unbrokenEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) > 0x20 && text.charCodeAt(at) < 0x7f) at += 1;
  return at;
}

const UNDERSCORE = 0x5f;

/** Where the compound goes on after the connector at `at`; 0 when it ends there. */
function nextPart(text: string, at: number, classes: Uint8Array): number {
  const unit = text.charCodeAt(at);
  if (classes[unit] !== CharClass.CONNECTOR) return 0;
  let next = at + 1;
  if (unit === UNDERSCORE) while (text.charCodeAt(next) === UNDERSCORE) next += 1;
  if (!startsWord(text, next, classes)) return 0;
  const digitsOnly = unit === 0x2c || unit === 0x3a; // `,` and `:` join numbers and times, never words
  if (digitsOnly && !(isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(next)))) return 0;
  return next;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** `c++`, `c#`: the end of such a suffix when nothing of a word follows, else `at`. */
function symbolSuffixEnd(text: string, at: number, classes: Uint8Array): number {
  const plus = text.startsWith('++', at);
  if (!plus && text[at] !== '#') return at;
  const end = at + (plus ? 2 : 1);
  const kind = end < text.length ? classAt(text, end, classes) : CharClass.SEPARATOR;
  return kind === CharClass.SEPARATOR || kind === CharClass.CONNECTOR ? end : at;
}
