/**
 * The small grammars links are made of: labels, destinations, titles, and whole reference definitions, as CommonMark
 * has them. Danger: each is tried at many places of a hostile note, so each stops early by a rule of its own (nesting,
 * a character that may not occur, a length) and never scans to the end of the text for something that is not there.
 */
import type { TextRange } from './model.ts';

/** CommonMark lets an implementation bound the nesting of parentheses in a destination; 32 is what cmark takes. */
const MAX_PARENTHESES = 32;
/** CommonMark's own bound on a link label. */
const MAX_LABEL = 999;

export interface Destination {
  /** The destination inside its angle brackets, if it has any. */
  readonly range: TextRange;
  /** Where reading goes on: past the closing bracket. */
  readonly end: number;
}

/** Spaces, tabs and line breaks. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** First offset at or after `from` that is not white space. */
export function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** A link destination at `from`, `<…>` or bare; null when there is none. */
export function scanDestination(text: string, from: number): Destination | null {
  return text.charCodeAt(from) === 60 /* < */ ? scanAngled(text, from) : scanBare(text, from);
}

function scanAngled(text: string, from: number): Destination | null {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 62 /* > */) return { range: { from: from + 1, to: at }, end: at + 1 };
    if (code === 60 /* < */ || code === 10) return null;
    if (code === 92 /* \ */) at++;
  }
  return null;
}

function scanBare(text: string, from: number): Destination | null {
  let depth = 0;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) break;
    if (code === 40 /* ( */ && ++depth > MAX_PARENTHESES) return null;
    if (code === 41 /* ) */ && --depth < 0) break;
    if (code === 92 /* \ */ && at + 1 < text.length && !isBlank(text.charCodeAt(at + 1))) at++;
  }
  if (depth > 0) return null;
  return at > from ? { range: { from, to: at }, end: at } : null;
}

/** End of a link title that starts at `from` (`"…"`, `'…'` or `(…)`), past its closing mark; -1 when there is none. */
export function scanTitle(text: string, from: number): number {
  const open = text.charCodeAt(from);
  if (open !== 34 && open !== 39 && open !== 40) return -1;
  const close = open === 40 ? 41 : open;
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === close) return at + 1;
    if (code === 40 && open === 40) return -1;
    if (code === 92 /* \ */) at++;
  }
  return -1;
}

/** End of a `[label]` that starts at `from`, past its bracket; -1 when there is none. */
export function scanLabel(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_LABEL + 2);
  for (let at = from + 1; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 93 /* ] */) return at + 1;
    if (code === 91 /* [ */) return -1;
    if (code === 92 /* \ */) at++;
  }
  return -1;
}

export interface Definition {
  readonly destination: TextRange;
  /** Past the last character of the definition's last line (its line break left out). */
  readonly end: number;
}

/** Whether a line opens a reference definition: a label that is not a footnote's (`[^1]`), then a colon. */
export function startsDefinition(line: string): boolean {
  if (line.charCodeAt(0) !== 91 || line.charCodeAt(1) === 94 /* ^ */) return false;
  const label = scanLabel(line, 0);
  return label !== -1 && line.charCodeAt(label) === 58 /* : */ && line.slice(1, label - 1).trim() !== '';
}

/**
 * A reference definition `[label]: destination "title"` at the start of a paragraph's text; null when there is none.
 */
export function scanDefinition(text: string): Definition | null {
  if (!startsDefinition(text)) return null;
  const label = scanLabel(text, 0);
  const destination = scanDestination(text, skipBlank(text, label + 1));
  if (destination === null) return null;
  const title = skipBlank(text, destination.end);
  if (title > destination.end) {
    const titleEnd = scanTitle(text, title);
    const end = titleEnd === -1 ? -1 : lineEndIfBlank(text, titleEnd);
    if (end !== -1) return { destination: destination.range, end };
  }
  const end = lineEndIfBlank(text, destination.end);
  return end === -1 ? null : { destination: destination.range, end };
}

/** End of the line at `from` when only white space is left on it, else -1. */
function lineEndIfBlank(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) return at;
    if (!isBlank(code)) return -1;
  }
  return text.length;
}
