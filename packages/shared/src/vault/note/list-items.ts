/**
 * Items of a note's lists, nested ones too, each with the text it begins with. Pure, never throws. Danger: what stands in
 * code, or is hidden by a comment, looks like an item and is none; so items are told by the block tree, not by their dashes.
 */
import type { SyntaxNode } from '@lezer/common';
import { type Leaf, walkLeaves } from './leaves.ts';
import { blankLineEnds } from './line-ends.ts';
import type { NoteStructure, TextRange } from './model.ts';

export interface ListItem {
  /** 1-based line of its marker. */
  readonly line: number;
  /** From its marker to the end of its text. */
  readonly range: TextRange;
  /** Its first paragraph, without marker and task box: what is below it, such as items of its own, is not its text. */
  readonly textRange: TextRange;
}

/** Every item that begins with text, in order. */
export function listItems({ text, tree, bodyFrom, lines }: NoteStructure): ListItem[] {
  const found: ListItem[] = [];
  walkLeaves(tree, blankLineEnds(text.slice(bodyFrom)), (leaf) => {
    const item = itemBegunBy(leaf);
    if (item === null) return;
    const from = bodyFrom + textFrom(leaf);
    const to = bodyFrom + leaf.node.to;
    found.push({
      line: lines.lineAt(bodyFrom + item.from),
      range: { from: bodyFrom + item.from, to },
      textRange: { from: Math.min(from, to), to },
    });
  });
  return found;
}

/** The item whose first block the leaf is. */
function itemBegunBy({ node }: Leaf): SyntaxNode | null {
  const item = node.parent;
  if (item?.name !== 'ListItem' || (node.name !== 'Paragraph' && node.name !== 'Task')) return null;
  let first = item.firstChild;
  while (first !== null && (first.name === 'ListMark' || first.name === 'QuoteMark')) first = first.nextSibling;
  return first?.from === node.from ? item : null;
}

/** Offset in the body: behind a task's box. */
function textFrom({ node, from, text }: Leaf): number {
  const box = node.name === 'Task' ? node.getChild('TaskMarker') : null;
  if (box === null) return from;
  const rest = text.slice(box.to - from);
  return box.to + (rest.length - rest.trimStart().length);
}
