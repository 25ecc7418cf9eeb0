/**
 * Recognises a section that is one flat list (a log, an inbox, a list of facts), which chunks item by item: each
 * entry is about something else, and a chunk of ten of them is found by none. The figures are SPEC §10's.
 */
import type { SyntaxNode } from '@lezer/common';
import type { ParsedNote } from '../vault/note/model.ts';
import type { Piece } from './packer.ts';
import { type Block, blockRanges, type Group, isHeading, type Section } from './sections.ts';
import { type SplitContext, splitBlocks } from './split-oversize.ts';
import type { Ruler } from './tokens.ts';

const MIN_ITEMS = 7;
/** Of the section's blocks, items counted one by one and headings not at all. */
const MIN_SHARE_OF_ITEMS = 0.7;
const MIN_MEDIAN_TOKENS = 8;
/** From this share on it is an index of links, better found as a whole. */
const MAX_SHARE_OF_LINKS = 0.7;

/** An item that only points elsewhere: one link or address, nothing said about it. */
const BARE_LINK =
  /^\s*[-*+]\s+(?:\[[ xX]\]\s+)?(?:!?\[\[[^\]\n]{1,512}\]\]|!?\[[^\]\n]{0,512}\]\([^)\n]{0,2048}\)|<?https?:\/\/\S{1,2048})\s*$/;

/** Whether the section chunks by item. One list of one marker kind is one node in the tree, so it is contiguous too. */
export function isFlatList(section: Section, note: ParsedNote, ruler: Ruler): boolean {
  const blocks = section.blocks.filter(({ node }) => !isHeading(node));
  const lists = blocks.filter(({ node }) => node.name === 'BulletList' || node.name === 'OrderedList');
  const [list] = lists;
  if (list === undefined || lists.length > 1 || list.node.name !== 'BulletList') return false;
  const items = itemsOf(list, note);
  if (items.length < MIN_ITEMS) return false;
  if (items.length / (items.length + blocks.length - 1) < MIN_SHARE_OF_ITEMS) return false;
  const sizes = items.map(({ from, to }) => ruler.tokens(from, to)).sort((a, b) => a - b);
  if ((sizes[Math.floor(sizes.length / 2)] ?? 0) < MIN_MEDIAN_TOKENS) return false;
  const links = items.filter(({ from, to }) => to - from < 4096 && BARE_LINK.test(note.text.slice(from, to)));
  return links.length / items.length < MAX_SHARE_OF_LINKS;
}

/** Pieces of a group whose last section is a flat list: what leads up to the list, each item, what follows it. */
export function splitByItem(group: Group, context: SplitContext): Piece[] {
  const blocks = group.flatMap((section) => section.blocks);
  const at = blocks.findLastIndex(({ node }) => node.name === 'BulletList');
  const list = blocks[at];
  if (list === undefined) return splitBlocks(blocks, context);
  const lead = blocks.slice(0, at);
  const [first, ...others] = itemsOf(list, context.note);
  // Headings alone say nothing that the breadcrumb does not: they go with the first item.
  const onlyHeadings = lead.every(({ node }) => isHeading(node));
  const leadPieces = onlyHeadings ? [] : splitBlocks(lead, context);
  const opening = [...(onlyHeadings ? lead : []), ...(first === undefined ? [] : [first])];
  return [
    ...leadPieces,
    ...splitBlocks(opening, context),
    ...others.flatMap((item) => splitBlocks([item], context)),
    ...splitBlocks(blocks.slice(at + 1), context),
  ];
}

function itemsOf(list: Block, note: ParsedNote): Block[] {
  const nodes: SyntaxNode[] = list.node.getChildren('ListItem');
  return blockRanges(nodes, note, list.from, list.to);
}
