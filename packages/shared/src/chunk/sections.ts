/**
 * A note's body as sections: cut at headings of depth 1 to 3 (see rules.ts), small ones joined. Deeper headings stay
 * inside their section. Danger: sections and blocks must cover the body without a gap, or text is lost to search unnoticed.
 */
import type { SyntaxNode } from '@lezer/common';
import type { Heading, ParsedNote } from '../vault/note/model.ts';
import { plainText } from '../vault/note/plain-text.ts';
import type { ChunkRules } from './rules.ts';
import type { Ruler } from './tokens.ts';

/** A top-level block of the note with everything up to the next one; offsets into the note's text. */
export interface Block {
  readonly node: SyntaxNode;
  readonly from: number;
  readonly to: number;
}

export interface Section {
  /** Plain heading texts from the outermost ancestor down to the section's own; empty before the first heading. */
  readonly path: readonly string[];
  readonly from: number;
  readonly to: number;
  /** Its blocks in order, the heading that starts it included. */
  readonly blocks: readonly Block[];
}

/** Sections that become chunks together. */
export type Group = readonly Section[];

/**
 * The body's sections in order, without those of white space only.
 *
 * @param maxDepth of the headings that start one
 */
export function sectionsOf(note: ParsedNote, maxDepth: number): Section[] {
  const blocks = topLevelBlocks(note);
  const starts = note.headings.filter(({ depth }) => depth <= maxDepth);
  const sections: Section[] = [];
  let next = 0;
  const take = (heading: Heading | undefined, from: number, to: number): void => {
    const first = next;
    while (next < blocks.length && (blocks[next]?.from ?? to) < to) next += 1;
    const path = (heading?.path ?? []).map((text) => plainText(text));
    if (next > first) sections.push({ path, from, to, blocks: blocks.slice(first, next) });
  };
  let from = note.bodyFrom;
  let heading: Heading | undefined;
  for (const start of starts) {
    take(heading, from, start.marker.from);
    heading = start;
    from = start.marker.from;
  }
  take(heading, from, note.text.length);
  return sections;
}

function topLevelBlocks(note: ParsedNote): Block[] {
  const nodes: SyntaxNode[] = [];
  for (let node = note.tree.topNode.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
  return blockRanges(nodes, note, note.bodyFrom, note.text.length);
}

/** Ranges of neighbouring nodes: whole lines, each up to the next, together exactly `[from, to)`. */
export function blockRanges(nodes: readonly SyntaxNode[], note: ParsedNote, from: number, to: number): Block[] {
  const starts = nodes.map((node, index) => {
    const line = note.lines.startOf(note.lines.lineAt(note.bodyFrom + node.from));
    return index === 0 ? from : Math.min(Math.max(line, from), to);
  });
  return nodes.map((node, index) => ({ node, from: starts[index] ?? from, to: starts[index + 1] ?? to }));
}

export interface Grouping {
  readonly minTokens: number;
  readonly rules: Pick<ChunkRules, 'mergeForward' | 'mergeBack'>;
  readonly isFlatList: (section: Section) => boolean;
}

/**
 * Joins sections below `minTokens` with the one that follows, a trailing one with the one before. A section that
 * chunks by item (see flat-list.ts) takes nothing after it: its neighbour would drown in a list entry.
 */
export function groupSections(
  sections: readonly Section[],
  ruler: Ruler,
  { minTokens, rules, isFlatList }: Grouping,
): Group[] {
  const leastOpen = rules.mergeForward ? minTokens : 0;
  const groups: Section[][] = [];
  let open: Section[] = [];
  for (const section of sections) {
    open.push(section);
    if (isFlatList(section) || ruler.tokens(open[0]?.from ?? section.from, section.to) >= leastOpen) {
      groups.push(open);
      open = [];
    }
  }
  if (open.length > 0) groups.push(open);
  const runt = groups.at(-1);
  const before = groups.at(-2);
  if (!rules.mergeBack || runt === undefined || before === undefined) return groups;
  const last = runt.at(-1);
  const size = ruler.tokens(runt[0]?.from ?? 0, last?.to ?? 0);
  const takesMore = !before.some(isFlatList) && !runt.some(isFlatList);
  if (size < minTokens && takesMore) groups.splice(-2, 2, [...before, ...runt]);
  return groups;
}

/** Where a piece of a group stands: what the paths of the sections it holds text of have in common. */
export function breadcrumbOf(group: Group, from: number, to: number, text: string): string {
  const inside = group.filter((section) => section.from < to && section.to > from);
  const withText = inside.filter((section) => {
    const start = Math.max(from, ownTextFrom(section));
    return start < to && /\S/.test(text.slice(start, Math.min(to, section.to)));
  });
  const paths = (withText.length > 0 ? withText : inside).map(({ path }) => path);
  const [first = [], ...others] = paths;
  const common = first.findIndex((part, depth) => others.some((path) => path[depth] !== part));
  return (common === -1 ? first : first.slice(0, common)).join(' > ');
}

/** Where the text below the section's heading starts. */
function ownTextFrom(section: Section): number {
  const [first, second] = section.blocks;
  if (first === undefined || !isHeading(first.node)) return section.from;
  return second?.from ?? section.to;
}

export function isHeading(node: SyntaxNode): boolean {
  return node.name.startsWith('ATXHeading') || node.name.startsWith('SetextHeading');
}
