/**
 * Which kind of list a text ends or begins with, so that items added to a list of their own kind make one tight list.
 * Danger: `-`, `*` and `+` make different lists, as do `1.` and `1)`; joined without a blank line they would still be
 * two.
 */
import type { SyntaxNode } from '@lezer/common';
import { parseBlocks } from '../markdown.ts';
import type { NoteStructure } from '../model.ts';
import { lineBreakFrom } from './lines.ts';

/** The character that tells lists apart: the bullet, or what stands after the number; null for anything but a list. */
export function listKind(node: SyntaxNode | null, source: string): string | null {
  if (node === null || (node.name !== 'BulletList' && node.name !== 'OrderedList')) return null;
  const mark = node.firstChild?.getChild('ListMark');
  return mark === null || mark === undefined ? null : (source[mark.to - 1] ?? null);
}

/** Kind of the list that a text begins with; its first line tells, and is not blank. */
export function firstListKind(content: string): string | null {
  const line = content.slice(0, lineBreakFrom(content, 0));
  return listKind(parseBlocks(line).topNode.firstChild, line);
}

/** Kind of the list that a text ends with. */
export function lastListKind(content: string): string | null {
  return listKind(parseBlocks(content).topNode.lastChild, content);
}

/** Kind of the list that ends a note's text up to an offset. */
export function listKindBefore(note: NoteStructure, at: number): string | null {
  return listKind(note.tree.topNode.childBefore(at - note.bodyFrom), note.text.slice(note.bodyFrom));
}

/** Kind of the list that begins at an offset of a note, or on the same line after it. */
export function listKindAfter(note: NoteStructure, at: number): string | null {
  return listKind(note.tree.topNode.childAfter(at - note.bodyFrom), note.text.slice(note.bodyFrom));
}
