/**
 * The links of a file as they are written in it: the text of each, and where in that its target stands, so that another
 * can be put in its place. Pure. Danger: a canvas is anybody's JSON; what is not what it should be is passed over.
 */
import { type CanvasPart, canvasParts } from '@vault-mcp/shared/vault/note/canvas-parts';
import { readFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import type { Link, ParsedNote, TextRange } from '@vault-mcp/shared/vault/note/model';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { countAtMost } from '@vault-mcp/shared/vault/note/text';
import type { WrittenLink } from './found-link.ts';

/**
 * What a link stands in, which has rules of its own for what is written there: text, a table's cell, a YAML string by the
 * character that it begins with, a canvas's property that is a whole path.
 */
export type Surroundings = 'text' | 'table' | 'yaml' | 'yaml-single' | 'yaml-double' | 'canvas-path';

export interface LinkSource extends WrittenLink {
  /** The whole link as it stands in the file; of a canvas's path the property with its name. */
  readonly text: string;
  /** Where the target stands in that text. */
  readonly at: TextRange;
  readonly inside: Surroundings;
}

/** In the order in which they stand there. */
export function noteLinkSources(text: string): LinkSource[] {
  const note = parseNote(text);
  const surroundings = surroundingsIn(note);
  return note.links.map((link) => {
    const { form, target, embed, heading, block, alias, line, range, targetRange } = link;
    const at = { from: targetRange.from - range.from, to: targetRange.to - range.from };
    const written = text.slice(range.from, range.to).trimEnd();
    return { form, target, embed, heading, block, alias, line, text: written, at, inside: surroundings(link) };
  });
}

/** The same of a canvas, whose links have line 0. */
export function canvasLinkSources(text: string): LinkSource[] {
  return canvasParts(text).flatMap((part) => {
    if (part.key !== 'text') return [pathSource(part)];
    if (!part.text.includes('[')) return [];
    return noteLinkSources(part.text).map((source) => ({ ...source, line: 0 }));
  });
}

/** As the graph has it: a path from the vault's root. */
function pathSource({ key, path }: Exclude<CanvasPart, { key: 'text' }>): LinkSource {
  const start = `"${key}": "`;
  const value = JSON.stringify(path).slice(1, -1);
  const at = { from: start.length, to: start.length + value.length };
  return { form: 'markdown', target: `/${path}`, line: 0, text: `${start}${value}"`, at, inside: 'canvas-path' };
}

function surroundingsIn(note: ParsedNote): (link: Link) => Surroundings {
  let starts: readonly number[] | null = null;
  const yamlOpening = (offset: number): string => {
    starts ??= readFrontmatter(note.text, note.lines).strings.map(({ range }) => range.from);
    return note.text.charAt(starts[countAtMost(starts, offset) - 1] ?? note.text.length);
  };
  return ({ inFrontmatter, range }) => {
    if (!inFrontmatter) return isInTable(note, range.from) ? 'table' : 'text';
    const opening = yamlOpening(range.from);
    return opening === "'" ? 'yaml-single' : opening === '"' ? 'yaml-double' : 'yaml';
  };
}

function isInTable({ tree, bodyFrom }: ParsedNote, offset: number): boolean {
  for (let node = tree.resolve(offset - bodyFrom, 1); ; ) {
    if (node.name === 'Table') return true;
    if (node.parent === null) return false;
    node = node.parent;
  }
}
