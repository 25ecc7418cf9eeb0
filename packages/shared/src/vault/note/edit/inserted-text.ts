/**
 * Makes a caller's text fit the note it goes into: line ends in the note's style, no byte order mark, no blank lines
 * at either end. Danger: a text with half a surrogate pair has no UTF-8 form; it would be written as something else
 * than was asked for, so it is refused.
 */
import { AppError } from '../../../errors.ts';
import { isBlankAt, lineBreakFrom } from './lines.ts';

export type LineEnd = '\n' | '\r\n';

/**
 * The line end to use for text put in at `at`: the note's own style, and where that is mixed the one of the line
 * there (of the line above when that one ends the note).
 */
export function lineEndAt(text: string, at: number): LineEnd {
  return lineEndsOf(text)(at);
}

/** The same for many places of one text, which is looked through once. */
export function lineEndsOf(text: string): (at: number) => LineEnd {
  if (!mixesLineEnds(text)) {
    const only = text.includes('\r\n') ? '\r\n' : '\n';
    return () => only;
  }
  return (at) => {
    const next = text.indexOf('\n', at);
    const feed = next === -1 ? text.lastIndexOf('\n', at) : next;
    return text[feed - 1] === '\r' ? '\r\n' : '\n';
  };
}

/** Whether a text has line ends of both styles. */
export function mixesLineEnds(text: string): boolean {
  return text.includes('\r\n') && /(?<!\r)\n/.test(text);
}

/** @throws AppError `invalid_value` for text that UTF-8 cannot carry */
export function requireWellFormed(text: string): void {
  if (!text.isWellFormed()) {
    throw new AppError('invalid_value', 'The text holds half of a surrogate pair, which no file can: send it whole.');
  }
}

/** A caller's text with a given line end and no byte order mark. @throws AppError `invalid_value` */
export function withLineEnd(content: string, end: LineEnd): string {
  requireWellFormed(content);
  return content.replace(/^\ufeff/, '').replace(/\r\n|\r|\n/g, end);
}

/**
 * The same without blank lines at either end and without its last line break; empty for text of white space only.
 *
 * @throws AppError `invalid_value`
 */
export function trimmedContent(content: string, end: LineEnd): string {
  const text = withLineEnd(content, end);
  let first = 0;
  while (first < text.length && isBlankAt(text, first)) first++;
  if (first === text.length) return '';
  let last = text.length;
  while (isBlankAt(text, last - 1)) last--;
  return text.slice(text.lastIndexOf('\n', first) + 1, lineBreakFrom(text, last));
}
