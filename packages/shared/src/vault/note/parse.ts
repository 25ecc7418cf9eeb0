/**
 * A note's text to everything the product knows about it: frontmatter, block tree, headings, links, block ids, tags,
 * title, description. Pure, never throws, and linear in the text whatever the text is.
 */
import type { SyntaxNode, Tree } from '@lezer/common';
import { leafBlockId } from './blocks.ts';
import { describeParagraph, textValue } from './describe.ts';
import { type FrontmatterString, readFrontmatter } from './frontmatter.ts';
import { leafHeading, placeHeadings, type RawHeading } from './headings.ts';
import { type Leaf, walkLeaves } from './leaves.ts';
import { blankLineEnds } from './line-ends.ts';
import { leafLinks, stringLinks } from './links.ts';
import { parseBlocks } from './markdown.ts';
import type { BlockId, Heading, LineIndex, Link, ParsedNote } from './model.ts';
import { plainText } from './plain-text.ts';
import { frontmatterTags, uniqueTags } from './tags.ts';
import { indexLines } from './text.ts';

/** Parses a note's whole text as decodeNote gives it. */
export function parseNote(text: string): ParsedNote {
  const lines = indexLines(text);
  const { frontmatter, strings } = readFrontmatter(text, lines);
  const bodyFrom = frontmatter.range.to;
  const body = text.slice(bodyFrom);
  const tree = parseBlocks(body);
  const found = readBody(tree, blankLineEnds(body), bodyFrom, lines);
  const headings = placeHeadings(found.headings, text.length);
  const title = textValue(frontmatter.data.title) ?? firstTitle(headings);
  const description = textValue(frontmatter.data.description) ?? found.description;
  return {
    text,
    lines,
    frontmatter,
    bodyFrom,
    tree,
    headings,
    links: [...frontmatterLinks(strings, text, lines), ...found.links],
    blocks: found.blocks,
    tags: uniqueTags([...frontmatterTags(frontmatter.data), ...found.tags]),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

interface BodyFindings {
  readonly headings: RawHeading[];
  readonly links: Link[];
  readonly blocks: BlockId[];
  readonly tags: string[];
  description: string | undefined;
}

function readBody(tree: Tree, body: string, bodyFrom: number, lines: LineIndex): BodyFindings {
  const found: BodyFindings = { headings: [], links: [], blocks: [], tags: [], description: undefined };
  const lineAt = (offset: number): number => lines.lineAt(offset);
  walkLeaves(tree, body, (leaf) => {
    const heading = leafHeading(leaf, bodyFrom, lines);
    if (heading !== null) found.headings.push(heading);
    for (const link of leafLinks(leaf, { offset: bodyFrom + leaf.from, inFrontmatter: false, lineAt })) {
      found.links.push(link);
    }
    for (const tag of leaf.scan.tags) found.tags.push(leaf.text.slice(tag.from, tag.to));
    const block = leafBlockId(leaf, bodyFrom, lineAt);
    if (block !== null) found.blocks.push(block);
    if (found.description === undefined && isProse(leaf)) found.description = describeParagraph(leaf.text);
  });
  return found;
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
