/**
 * Links as the vault means them, with the exact place of each target. External addresses (a scheme, `//`) are no
 * vault links and are left out. Danger: `targetRange` is where a move writes, so it covers exactly the path as it is
 * written and never the fragment, the brackets or the title.
 */
import { scanDefinition } from './destinations.ts';
import { type InlineLink, scanInline, trimRange } from './inline.ts';
import type { Leaf } from './leaves.ts';
import type { Link, LinkForm, TextRange } from './model.ts';

/** Where a scanned text stands in the note. */
export interface Placement {
  /** Offset of the text's first character in the note. */
  readonly offset: number;
  readonly inFrontmatter: boolean;
  lineAt(offset: number): number;
}

/** The vault links of one leaf of the body, in order of appearance. */
export function leafLinks(leaf: Leaf, place: Placement): Link[] {
  if (leaf.node.name === 'LinkReference') {
    const definition = scanDefinition(leaf.text);
    if (definition === null) return [];
    const link: InlineLink = {
      kind: 'markdown',
      embed: false,
      range: { from: 0, to: leaf.text.length },
      destination: definition.destination,
      label: null,
    };
    return toLinks([link], leaf.text, place, 'reference');
  }
  return toLinks(leaf.scan.links, leaf.text, place);
}

/** The vault links of a plain string, such as a frontmatter value. */
export function stringLinks(text: string, place: Placement): Link[] {
  return toLinks(scanInline(text).links, text, place);
}

function toLinks(found: readonly InlineLink[], text: string, place: Placement, form?: LinkForm): Link[] {
  const links: Link[] = [];
  if (found.length === 0) return links;
  const inOrder = found.length === 1 ? found : [...found].sort((a, b) => a.range.from - b.range.from);
  for (const link of inOrder) {
    const target = link.kind === 'wikilink' ? wikiTarget(text, link) : markdownTarget(text, link);
    if (target === null) continue;
    // Built up and not spread together: there are ten links to a note, and a spread takes longer than finding one.
    const made: { -readonly [Key in keyof Link]: Link[Key] } = {
      form: form ?? link.kind,
      embed: link.embed,
      target: target.path,
      line: place.lineAt(place.offset + link.range.from),
      range: shift(link.range, place.offset),
      targetRange: shift(target.range, place.offset),
      inFrontmatter: place.inFrontmatter,
    };
    const fragment = target.fragment?.trim() ?? '';
    if (fragment.startsWith('^')) made.block = fragment.slice(1);
    else if (fragment !== '') made.heading = fragment;
    const label = link.label === null ? '' : text.slice(link.label.from, link.label.to).trim();
    if (label !== '') made.alias = label;
    links.push(made);
  }
  return links;
}

interface Target {
  readonly path: string;
  readonly fragment: string | null;
  readonly range: TextRange;
}

/** No percent-decoding here: `[[a%20b]]` names a file with a percent sign. */
function wikiTarget(text: string, link: InlineLink): Target {
  const [range, fragment] = splitFragment(text, link.destination);
  const trimmed = trimRange(text, range);
  return { path: text.slice(trimmed.from, trimmed.to), fragment, range: trimmed };
}

function markdownTarget(text: string, link: InlineLink): Target | null {
  const written = text.slice(link.destination.from, link.destination.to);
  if (written === '' || isExternal(written)) return null;
  const [range, fragment] = splitFragment(text, link.destination);
  return {
    path: percentDecode(unescapeMarkdown(text.slice(range.from, range.to))),
    fragment: fragment === null ? null : percentDecode(unescapeMarkdown(fragment)),
    range,
  };
}

/** A URL with a scheme of two letters or more, or one that names a host. */
function isExternal(destination: string): boolean {
  return destination.startsWith('//') || /^[a-z][a-z0-9+.-]{1,31}:/i.test(destination);
}

function splitFragment(text: string, destination: TextRange): [TextRange, string | null] {
  const written = text.slice(destination.from, destination.to);
  const hash = written.indexOf('#');
  if (hash === -1) return [destination, null];
  return [{ from: destination.from, to: destination.from + hash }, written.slice(hash + 1)];
}

function unescapeMarkdown(text: string): string {
  return text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text;
}

/** Decoded where it decodes: a stray percent sign leaves the text as written. */
function percentDecode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shift(range: TextRange, by: number): TextRange {
  return { from: range.from + by, to: range.to + by };
}
