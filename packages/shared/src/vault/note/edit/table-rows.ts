/**
 * Which texts are rows of a table, so that rows put below one of as many columns become part of it, as items become
 * part of a list. Danger: a table that begins with its own header is a table of its own, and a line of prose may hold a
 * pipe, so only lines that begin with one are rows of a table whose lines do.
 */
import type { SyntaxNode } from '@lezer/common';
import type { NoteStructure, TextRange } from '../model.ts';

/** Whether a text begins with rows, up to its end or a blank line, that fit the table which ends a note up to an offset. */
export function joinsTableBefore(note: NoteStructure, at: number, content: string): boolean {
  const columns = mayBeRows(content) ? columnsOf(note, note.tree.topNode.childBefore(at - note.bodyFrom)) : null;
  return columns !== null && beginsWithRows(content, columns);
}

/** The same for the table that stands exactly in a range. */
export function joinsTableIn(note: NoteStructure, { from, to }: TextRange, content: string): boolean {
  const node = mayBeRows(content) ? note.tree.topNode.childBefore(to - note.bodyFrom) : null;
  const columns = node?.from === from - note.bodyFrom ? columnsOf(note, node) : null;
  return columns !== null && beginsWithRows(content, columns);
}

/** Cheap; false for nearly every text. */
export function mayBeRows(content: string): boolean {
  return /^\s*\|/.test(content);
}

/** Columns of a table whose lines begin with a pipe; null for anything else. */
function columnsOf({ text, bodyFrom }: NoteStructure, node: SyntaxNode | null): number | null {
  if (node === null || node.name !== 'Table') return null;
  const [header = '', delimiter = ''] = text.slice(bodyFrom + node.from, bodyFrom + node.to).split(/\r?\n/, 2);
  return mayBeRows(header) ? cells(delimiter) : null;
}

function beginsWithRows(content: string, columns: number): boolean {
  const lines = content.split(/\r?\n/);
  const blank = lines.findIndex((line) => line.trim() === '');
  return (blank === -1 ? lines : lines.slice(0, blank)).every(
    (line) => /^ {0,3}\|/.test(line) && !isDelimiter(line) && cells(line) === columns,
  );
}

function isDelimiter(line: string): boolean {
  return /^[\s|:-]*-[\s|:-]*$/.test(line);
}

/** Cells between the pipes of a line; an escaped pipe parts none. */
function cells(line: string): number {
  const pipes = line.trim().replace(/\\./g, '').replace(/^\|/, '');
  return pipes.split('|').length - (pipes.endsWith('|') ? 1 : 0);
}
