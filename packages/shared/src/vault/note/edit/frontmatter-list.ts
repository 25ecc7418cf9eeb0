/**
 * Changes a list by the lines of the items that differ: equal items at its start and end keep their lines, comments
 * and quoting. Danger: offsets come from a parse of the block as it is, so nothing here may be used on another text.
 */
import { isDeepStrictEqual } from 'node:util';
import { isSeq, type YAMLSeq } from 'yaml';
import type { TextRange } from '../model.ts';
import type { BlockSource, EntrySource } from './frontmatter-source.ts';
import type { FrontmatterValue } from './frontmatter-value.ts';
import { lineStartOf, nextLineFrom } from './lines.ts';
import { holdsMisreadString } from './misread.ts';
import { itemLines } from './yaml-lines.ts';

export interface ListChange {
  /** The lines to replace. */
  readonly range: TextRange;
  readonly lines: readonly string[];
}

/** The lines that make one list of the other; null when the old one is not written one item a line. */
export function listChange(
  text: string,
  source: BlockSource,
  { entry, value }: EntrySource,
  old: unknown,
  wanted: readonly FrontmatterValue[],
): ListChange | null {
  if (!isSeq(value) || value.flow === true || !Array.isArray(old) || wanted.length === 0) return null;
  const items = itemRanges(text, source, value as YAMLSeq.Parsed, entry.range.to);
  const first = items[0];
  if (first === undefined || items.length !== old.length) return null;
  const isKept = (i: number, j: number): boolean =>
    i < old.length && isDeepStrictEqual(old[i], wanted[j]) && !holdsMisreadString(value.items[i]);
  let start = 0;
  while (start < wanted.length && isKept(start, start)) start++;
  let end = 0;
  const most = Math.min(old.length, wanted.length) - start;
  while (end < most && isKept(old.length - 1 - end, wanted.length - 1 - end)) end++;
  const from = start === 0 ? nextLineFrom(text, entry.range.from) : (items[start - 1]?.to ?? first.from);
  const to = start + end === old.length ? from : (items[old.length - 1 - end]?.to ?? from);
  const indent = text.slice(first.from, first.dash);
  const added = wanted.slice(start, wanted.length - end).flatMap(itemLines);
  return { range: { from, to }, lines: added.map((line) => indent + line) };
}

/** Each item's lines, and where its dash stands. */
function itemRanges(text: string, source: BlockSource, list: YAMLSeq.Parsed, end: number) {
  const tokens = list.srcToken?.type === 'block-seq' ? list.srcToken.items : [];
  const dashes = tokens.flatMap(({ start }) => start.filter(({ type }) => type === 'seq-item-ind'));
  return dashes.map(({ offset }, i) => {
    const dash = source.offset + offset;
    const valueEnd = list.items[i]?.range?.[1];
    const last = Math.max(dash, source.offset + (valueEnd ?? offset) - 1);
    return { from: lineStartOf(text, dash), dash, to: Math.min(nextLineFrom(text, last), end) };
  });
}
