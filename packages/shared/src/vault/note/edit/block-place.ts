/**
 * Where a block stands: what lines go with it, and what every line put in its place must begin with (the indentation
 * of the item around it, or its quote marks).
 */
import type { SyntaxNode } from '@lezer/common';
import type { BlockId, NoteStructure, TextRange } from '../model.ts';
import { lineStartOf } from './lines.ts';
import { listKind } from './list-kind.ts';

export interface BlockPlace {
  readonly id: string;
  /** The block, the id included when it stands in it. */
  readonly range: TextRange;
  /** The same up to the end of the id. */
  readonly whole: TextRange;
  /** Whether the id stands in the block, or alone below it. */
  readonly holdsId: boolean;
  /** Whether the id marks a list item. */
  readonly isItem: boolean;
  /** Kind of the list the item stands in (see list-kind.ts). */
  readonly listKind: string | null;
  /** Where the outermost list around the item ends. */
  readonly listEnd: number;
  /** The item's bullet, task box included, up to its text. */
  readonly itemMark: string;
  /** What begins the lines below the block's first: white space, quote marks. */
  readonly indent: string;
  /** The same for lines that belong to the item's text. */
  readonly itemIndent: string;
  readonly isQuoted: boolean;
  /** Whether the bullet of an item around it stands before it on its first line. */
  readonly sharesLine: boolean;
  /** A text's lines, each with the indent before it; blank lines get the quote marks alone. */
  indented(text: string, indent: string, end: string): string;
}

export function blockPlace(note: NoteStructure, block: BlockId): BlockPlace {
  const { id, range, idRange } = block;
  const holdsId = idRange.to <= range.to;
  const item = holdsId ? itemAt(note, range) : null;
  const before = note.text.slice(Math.max(note.bodyFrom, lineStartOf(note.text, range.from)), range.from);
  const indent = before.replace(/[^>\s]/g, ' ');
  const itemMark = item === null ? '' : markOf(note, item);
  return {
    id,
    range,
    whole: { from: range.from, to: Math.max(range.to, idRange.to) },
    holdsId,
    isItem: item !== null,
    listKind: listKind(item?.parent ?? null, note.text.slice(note.bodyFrom)),
    listEnd: item === null ? range.to : note.bodyFrom + outermostList(item).to,
    itemMark,
    indent,
    itemIndent: indent + ' '.repeat(/^\S+\s*/.exec(itemMark)?.[0].length ?? 0),
    isQuoted: before.includes('>'),
    sharesLine: /[^>\s]/.test(before),
    indented: indentedLines,
  };
}

function indentedLines(text: string, indent: string, end: string): string {
  const blank = indent.trimEnd();
  return text
    .split('\n')
    .map((line) => (line === '' ? blank : indent + line))
    .join(end);
}

/** The list item that covers a range. */
function itemAt(note: NoteStructure, { from, to }: TextRange): SyntaxNode | null {
  for (
    let node: SyntaxNode | null = note.tree.resolveInner(from - note.bodyFrom, 1);
    node !== null;
    node = node.parent
  ) {
    if (node.name === 'ListItem' && node.from === from - note.bodyFrom)
      return node.to === to - note.bodyFrom ? node : null;
  }
  return null;
}

function outermostList(item: SyntaxNode): SyntaxNode {
  let list = item;
  for (let node: SyntaxNode | null = item; node !== null; node = node.parent) {
    if (node.name === 'BulletList' || node.name === 'OrderedList') list = node;
  }
  return list;
}

/** An item's bullet or number with the white space after it, and its task box. */
function markOf(note: NoteStructure, item: SyntaxNode): string {
  const source = note.text.slice(note.bodyFrom + item.from, note.bodyFrom + item.to);
  return /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/.exec(source)?.[0] ?? '';
}
