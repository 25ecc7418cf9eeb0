/**
 * Line ends for a grammar that knows line feeds only: a body goes in without the carriage returns of its `\r\n`, and
 * the tree comes back with the body's own offsets. So a note has one structure however its lines end, and no node ends
 * with half a line break. Danger: trees are mapped node by node in their stored form, so that no block is lost on the way.
 */
import { Tree, TreeBuffer } from '@lezer/common';
import { countAtMost } from './text.ts';

export interface LineFeedText {
  /** The text with every `\r\n` as `\n`. */
  readonly text: string;
  /** A tree over `text` as one over the original: a node that ends with a line ends before its `\r`. */
  restore(tree: Tree): Tree;
}

export function withLineFeeds(original: string): LineFeedText {
  if (!original.includes('\r\n')) return { text: original, restore: (tree) => tree };
  const feeds = shortenedFeeds(original);
  const offset = (at: number): number => at + countAtMost(feeds, at - 1);
  return { text: original.replaceAll('\r\n', '\n'), restore: (tree) => moveTree(tree, 0, offset) };
}

/** The same length, the carriage returns of line ends turned into spaces: for readers of text whose offsets have to stay. */
export function blankLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', ' \n') : text;
}

/** Offsets in the shortened text of the line feeds that lost a carriage return. */
function shortenedFeeds(original: string): number[] {
  const feeds: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
    feeds.push(at - feeds.length);
  return feeds;
}

type Move = (offset: number) => number;

/** @param start where the tree stands in the shortened text */
function moveTree(tree: Tree, start: number, move: Move): Tree {
  const from = move(start);
  const starts = tree.positions.map((position) => start + position);
  const children = tree.children.map((child, i) =>
    child instanceof Tree ? moveTree(child, starts[i] ?? start, move) : moveBuffer(child, starts[i] ?? start, move),
  );
  const positions = starts.map((at) => move(at) - from);
  return new Tree(tree.type, children, positions, move(start + tree.length) - from);
}

/** A buffer holds small nodes as fours: type, start, end (both from the buffer's start), index of the next sibling. */
function moveBuffer(buffer: TreeBuffer, start: number, move: Move): TreeBuffer {
  const from = move(start);
  const moved = buffer.buffer.map((value, i) => (i % 4 === 1 || i % 4 === 2 ? move(start + value) - from : value));
  return new TreeBuffer(moved, move(start + buffer.length) - from, buffer.set);
}
