/**
 * Lines and the blank space between blocks of text, by offset. Blank means spaces, tabs and line breaks, as markdown
 * has it; other white space is text.
 */
import type { TextRange } from '../model.ts';

/** Whether the character at an offset is a space, a tab or part of a line break. */
export function isBlankAt(text: string, at: number): boolean {
  const char = text[at];
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

/** Offset of the first character of the line that holds an offset. */
export function lineStartOf(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Offset where the line that holds an offset ends: of its line break, or the text's end. */
export function lineBreakFrom(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  if (feed === -1) return text.length;
  return feed > at && text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** Offset of the first character of the line below the one that holds an offset; the text's end when there is none. */
export function nextLineFrom(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  return feed === -1 ? text.length : feed + 1;
}

/** Where the last line with text on it ends inside a range; null when the range is blank. */
export function lastTextEnd(text: string, { from, to }: TextRange): number | null {
  for (let at = to - 1; at >= from; at--) if (!isBlankAt(text, at)) return Math.min(lineBreakFrom(text, at + 1), to);
  return null;
}

/** Where the first line with text on it begins inside a range; null when the range is blank. */
export function firstTextStart(text: string, { from, to }: TextRange): number | null {
  for (let at = from; at < to; at++) if (!isBlankAt(text, at)) return Math.max(lineStartOf(text, at), from);
  return null;
}

/** Line breaks in the blank space that ends at an offset; null when there is nothing but blank space (or a BOM) before. */
export function breaksBefore(text: string, at: number): number | null {
  let breaks = 0;
  for (let i = at - 1; i >= 0; i--) {
    if (!isBlankAt(text, i)) return i === 0 && text[i] === '\ufeff' ? null : breaks;
    if (text[i] === '\n') breaks++;
  }
  return null;
}

/** Line breaks in the blank space that begins at an offset; null when there is nothing else up to the end. */
export function breaksAfter(text: string, at: number): number | null {
  let breaks = 0;
  for (let i = at; i < text.length; i++) {
    if (!isBlankAt(text, i)) return breaks;
    if (text[i] === '\n') breaks++;
  }
  return null;
}
