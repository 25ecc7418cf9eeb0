/**
 * Block ids: a `^id` at the end of a paragraph, list item or heading, or alone on a line after a block it cannot stand
 * in (a table, a quote, a list, code). Danger: an id names the block a reader would see marked, which is an ancestor
 * of the text it stands in, or the block before it.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Leaf } from './leaves.ts';
import type { BlockId, TextRange } from './model.ts';

/** Obsidian's own rule for ids: Latin letters, digits, hyphens. */
const TRAILING_ID = /(?:^|[ \t\n])\^([A-Za-z0-9-]{1,128})[ \t]*$/;

/** The block id a leaf ends with; null when it has none. `lineAt` takes offsets in the note. */
export function leafBlockId(leaf: Leaf, bodyFrom: number, lineAt: (offset: number) => number): BlockId | null {
  if (leaf.node.name === 'LinkReference' || leaf.node.name === 'Unread') return null;
  const tail = leaf.text.slice(-160);
  if (!tail.includes('^')) return null;
  const found = TRAILING_ID.exec(tail);
  const id = found?.[1];
  if (found === null || id === undefined) return null;
  const idFrom = leaf.from + leaf.text.length - tail.length + found.index + found[0].indexOf('^');
  const range = namedBlock(leaf, idFrom);
  return {
    id,
    line: lineAt(bodyFrom + range.from),
    range: { from: bodyFrom + range.from, to: bodyFrom + range.to },
    idRange: { from: bodyFrom + idFrom, to: bodyFrom + idFrom + id.length + 1 },
  };
}

function namedBlock(leaf: Leaf, idFrom: number): TextRange {
  const alone = leaf.text.slice(0, idFrom - leaf.from).trim() === '';
  const before = alone && leaf.node.name === 'Paragraph' ? leaf.node.prevSibling : null;
  if (before !== null && before.name !== 'QuoteMark' && before.name !== 'ListMark')
    return { from: before.from, to: before.to };
  const block = enclosing(leaf.node);
  return { from: block.from, to: block.to };
}

/** The innermost list item around a leaf, else the outermost block it stands in. */
function enclosing(leaf: SyntaxNode): SyntaxNode {
  let block = leaf;
  for (let up = leaf.parent; up !== null && up.name !== 'Document'; up = up.parent) {
    if (up.name === 'ListItem') return up;
    block = up;
  }
  return block;
}
