/**
 * Feeds blocks into a packer, splitting those that are too large for one piece: into list items, table rows, the
 * blocks of a quote, sentences, lines, and in the end anywhere. Code and other verbatim blocks stay whole as long as
 * the model takes them. Recursion is as deep as the note nests (bounded by the parser).
 */
import type { SyntaxNode } from '@lezer/common';
import type { ParsedNote } from '../vault/note/model.ts';
import type { ChunkOptions } from './options.ts';
import { Packer, type Piece, type SegmentKind } from './packer.ts';
import type { ChunkRules } from './rules.ts';
import { type Block, blockRanges, isHeading } from './sections.ts';
import { cutBefore, lineStarts, sentenceStarts } from './sentences.ts';
import type { Ruler } from './tokens.ts';

export interface SplitContext {
  readonly note: ParsedNote;
  readonly ruler: Ruler;
  readonly options: ChunkOptions;
  readonly rules: ChunkRules;
}

const VERBATIM = new Set(['FencedCode', 'CodeBlock', 'HTMLBlock', 'CommentBlock', 'VaultComment']);
const CONTAINERS = new Set(['BulletList', 'OrderedList', 'ListItem', 'Blockquote']);
/** Children of containers that are marks, not blocks. */
const MARKS = new Set(['ListMark', 'QuoteMark']);

/** Blocks that touch, packed into pieces. */
export function splitBlocks(blocks: readonly Block[], context: SplitContext): Piece[] {
  const packer = new Packer(context);
  if (context.rules.splitAtBoundaries) for (const block of blocks) packBlock(block, packer, context);
  else packWhole(blocks, packer, context);
  return packer.finish();
}

/** Without regard to what the blocks are. */
function packWhole(blocks: readonly Block[], packer: Packer, context: SplitContext): void {
  const from = blocks[0]?.from ?? 0;
  const to = blocks.at(-1)?.to ?? from;
  if (context.ruler.tokens(from, to) <= context.options.targetTokens) packer.add(from, to, 'prose');
  else packAnywhere(from, to, 'prose', packer, context);
}

function packBlock(block: Block, packer: Packer, context: SplitContext): void {
  const { node, from, to } = block;
  const { ruler, options, rules } = context;
  const size = ruler.tokens(from, to);
  if (size <= options.targetTokens) packer.add(from, to, kindOf(node));
  else if (VERBATIM.has(node.name)) {
    if (rules.fencesWhole && size <= options.maxTokens) packer.add(from, to, 'verbatim');
    else packLines(from, to, 'verbatim', packer, context);
  } else if (node.name === 'Table') packTable(block, packer, context);
  else {
    packer.breakBeforeSplit();
    const children = CONTAINERS.has(node.name) ? childBlocks(block, context) : [];
    if (children.length > 0) for (const child of children) packBlock(child, packer, context);
    else packSentences(from, to, packer, context);
  }
}

function kindOf(node: SyntaxNode): SegmentKind {
  if (isHeading(node)) return 'heading';
  if (node.name === 'Table') return 'table';
  return VERBATIM.has(node.name) ? 'verbatim' : 'prose';
}

function childBlocks(block: Block, context: SplitContext): Block[] {
  const nodes: SyntaxNode[] = [];
  for (let child = block.node.firstChild; child !== null; child = child.nextSibling) {
    if (!MARKS.has(child.name)) nodes.push(child);
  }
  return blockRanges(nodes, context.note, block.from, block.to);
}

/** Row by row; pieces after the first repeat the header, unless it would fill half of them. */
function packTable(block: Block, packer: Packer, context: SplitContext): void {
  const { ruler, options, rules } = context;
  const rows = childBlocks(block, context).filter(({ node }) => node.name === 'TableRow');
  const bodyFrom = rows[0]?.from ?? block.to;
  const range = { from: block.from, to: bodyFrom };
  const fits = ruler.tokens(range.from, range.to) <= options.targetTokens / 2;
  const header = rules.repeatTableHeader && fits ? range : undefined;
  packer.breakBeforeSplit();
  // The first row stays with the header where it can: a header by itself says nothing.
  const ranges = rows.map(({ from, to }, index) => ({ from: index === 0 ? block.from : from, to }));
  for (const { from, to } of ranges.length > 0 ? ranges : [block]) {
    if (ruler.tokens(from, to) <= options.targetTokens) {
      packer.add(from, to, 'table', from === block.from ? undefined : header);
    } else packLines(from, to, 'table', packer, context);
  }
}

function packSentences(from: number, to: number, packer: Packer, context: SplitContext): void {
  const { note, ruler, options } = context;
  let start = from;
  for (const end of [...sentenceStarts(note.text, from, to), to]) {
    if (ruler.tokens(start, end) <= options.targetTokens) packer.add(start, end, 'prose');
    else packLines(start, end, 'prose', packer, context);
    start = end;
  }
}

function packLines(from: number, to: number, kind: SegmentKind, packer: Packer, context: SplitContext): void {
  const { note, ruler, options } = context;
  let start = from;
  for (const end of [...lineStarts(note.text, from, to), to]) {
    if (ruler.tokens(start, end) <= options.maxTokens) packer.add(start, end, kind);
    else packAnywhere(start, end, kind, packer, context);
    start = end;
  }
}

/** The hard cap: a line longer than the model takes, cut at white space if there is any. */
function packAnywhere(from: number, to: number, kind: SegmentKind, packer: Packer, context: SplitContext): void {
  const { note, ruler, options } = context;
  const tokens = Math.max(1, options.targetTokens - options.overlapTokens);
  let start = from;
  while (start < to) {
    const limit = ruler.advance(start, tokens);
    const end = limit >= to ? to : cutBefore(note.text, start, limit);
    packer.add(start, end, kind);
    start = end;
  }
}
