/**
 * A note's text to everything the product knows about it: frontmatter, block tree, headings, links, block ids, tags,
 * title, description. Pure, never throws, and linear in the text whatever the text is.
 */
import type { SyntaxNode } from '@lezer/common';
import { leafBlockId } from './blocks.ts';
import { describeParagraph, textValue } from './describe.ts';
import { type FrontmatterString, parseFrontmatter, readFrontmatter } from './frontmatter.ts';
import { leafHeading, placeHeadings, type RawHeading } from './headings.ts';
import { type Leaf, walkLeaves } from './leaves.ts';
import { blankLineEnds } from './line-ends.ts';
import { leafLinks, stringLinks } from './links.ts';
import { parseBlocks, structuredTo } from './markdown.ts';
import type { BlockId, Frontmatter, Heading, LineIndex, Link, NoteStructure, ParsedNote } from './model.ts';
import { plainText } from './plain-text.ts';
import { frontmatterTags, uniqueTags } from './tags.ts';
import { indexLines } from './text.ts';

/** Parses a note's whole text as decodeNote gives it. */
export function parseNote(text: string): ParsedNote {
  const found: BodyFindings = { links: [], tags: [], description: undefined };
  const { strings, ...structure } = readStructure(text, (leaf, place) => readLeaf(leaf, place, found));
  const { frontmatter, headings, lines } = structure;
  const title = textValue(frontmatter.data.title) ?? firstTitle(headings);
  const description = textValue(frontmatter.data.description) ?? found.description;
  return {
    ...structure,
    links: [...frontmatterLinks(strings, text, lines), ...found.links],
    tags: uniqueTags([...frontmatterTags(frontmatter.data), ...found.tags]),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Parses for those who look for parts of a note and not for links or tags, which take a quarter of the time. */
export function parseStructure(text: string): NoteStructure {
  const { strings: _unused, ...structure } = readStructure(text);
  return structure;
}

/**
 * The same, parsed when more than its text, frontmatter or the beginning of its body is asked for, and then once: many
 * an edit needs no more.
 *
 * @param frontmatter the text's own, where that is known
 */
export function lazyStructure(text: string, frontmatter: Frontmatter = parseFrontmatter(text)): NoteStructure {
  let [lines, parsed]: [LineIndex?, NoteStructure?] = [];
  const whole = (): NoteStructure => (parsed ??= readStructure(text, undefined, frontmatter));
  return {
    text,
    frontmatter,
    bodyFrom: frontmatter.range.to,
    get lines() {
      lines ??= indexLines(text);
      return lines;
    },
    get tree() {
      return whole().tree;
    },
    get headings() {
      return whole().headings;
    },
    get blocks() {
      return whole().blocks;
    },
    get structuredTo() {
      return whole().structuredTo;
    },
  };
}

interface LeafPlace {
  readonly bodyFrom: number;
  /** What its frontmatter says the note is about, which no paragraph need tell then. */
  readonly description: string | undefined;
  lineAt(offset: number): number;
}

type Structure = NoteStructure & { readonly strings: readonly FrontmatterString[] };

/**
 * @param alsoRead sees each leaf of the body, in order
 * @param known the text's frontmatter, for who looks for no strings in it
 */
function readStructure(
  text: string,
  alsoRead?: (leaf: Leaf, place: LeafPlace) => void,
  known?: Frontmatter,
): Structure {
  const lines = indexLines(text);
  const { frontmatter, strings } =
    known === undefined ? readFrontmatter(text, lines) : { frontmatter: known, strings: [] };
  const bodyFrom = frontmatter.range.to;
  const body = text.slice(bodyFrom);
  const tree = parseBlocks(body);
  const [raw, blocks]: [RawHeading[], BlockId[]] = [[], []];
  const place = {
    bodyFrom,
    description: textValue(frontmatter.data.description),
    lineAt: (offset: number) => lines.lineAt(offset),
  };
  walkLeaves(tree, blankLineEnds(body), (leaf) => {
    const heading = leafHeading(leaf, bodyFrom, lines);
    if (heading !== null) raw.push(heading);
    const block = leafBlockId(leaf, bodyFrom, place.lineAt);
    if (block !== null) blocks.push(block);
    alsoRead?.(leaf, place);
  });
  const headings = placeHeadings(raw, text.length);
  return {
    text,
    lines,
    frontmatter,
    bodyFrom,
    tree,
    headings,
    blocks,
    structuredTo: bodyFrom + structuredTo(tree),
    strings,
  };
}

interface BodyFindings {
  readonly links: Link[];
  readonly tags: string[];
  description: string | undefined;
}

function readLeaf(leaf: Leaf, { bodyFrom, description, lineAt }: LeafPlace, found: BodyFindings): void {
  if (leaf.scan.links.length > 0 || leaf.node.name === 'LinkReference') {
    const place = { offset: bodyFrom + leaf.from, inFrontmatter: false, lineAt };
    for (const link of leafLinks(leaf, place)) found.links.push(link);
  }
  for (const tag of leaf.scan.tags) found.tags.push(leaf.text.slice(tag.from, tag.to));
  found.description ??= description ?? (isProse(leaf) ? describeParagraph(leaf.text) : undefined);
}

/** A paragraph of the note itself, not one of a list, quote or table. */
function isProse(leaf: Leaf): boolean {
  const { node } = leaf;
  return node.name === 'Paragraph' && isTopLevel(node);
}

function isTopLevel(node: SyntaxNode): boolean {
  return node.parent?.name === 'Document';
}

function firstTitle(headings: readonly Heading[]): string | undefined {
  const first = headings.find(({ depth }) => depth === 1);
  return first === undefined ? undefined : textValue(plainText(first.text));
}

function frontmatterLinks(strings: readonly FrontmatterString[], text: string, lines: LineIndex): Link[] {
  return strings.flatMap(({ value, range }) => {
    if (!value.includes('[')) return [];
    const place = { inFrontmatter: true, lineAt: (offset: number) => lines.lineAt(offset) };
    const written = stringLinks(text.slice(range.from, range.to), { ...place, offset: range.from });
    const meant = stringLinks(value, { ...place, offset: range.from });
    // Quoting can spell a character differently: what is meant comes from the value, where it stands from the source.
    if (meant.length !== written.length) return written;
    return written.map((link, i) => ({
      ...link,
      ...meant[i],
      line: link.line,
      range: link.range,
      targetRange: link.targetRange,
    }));
  });
}
