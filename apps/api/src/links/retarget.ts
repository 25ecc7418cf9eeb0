/**
 * A link that leads somewhere else, as text to paste in place of the one that stands there: its form, fragment, alias and
 * way of encoding are kept. Pure. Danger: whoever pastes it trusts it, so every target is resolved before it is given, and
 * what its form cannot say is said in another, never approximated.
 */
import { newTargets, withoutSuffix } from '@vault-mcp/shared/vault/note/new-target';
import { type LinkTarget, parseTarget, resolveLink, type Via } from '@vault-mcp/shared/vault/note/resolve-link';
import type { VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { encodeDestination, escapeForYaml, fitsWikilink } from '@vault-mcp/shared/vault/note/written-target';
import { nameOf, parentOf, pathKey, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { LinkSource, Surroundings } from './link-source.ts';

export interface Retargeted {
  readonly text: string;
  /** Whether it was a wikilink, and none can name that file. */
  readonly asMarkdown: boolean;
}

/** Spaces are encoded in a destination of ours, whatever stands around it. */
const OUR_ENCODING = '%20';

/**
 * @param alias for a wikilink that has none, and would be read as another name than it was
 * @returns null when no target of any form leads from there to that file alone
 */
export function retarget(
  source: LinkSource,
  wanted: VaultPath,
  { from, names, alias }: { readonly from: VaultPath; readonly names: VaultNames; readonly alias?: string | undefined },
): Retargeted | null {
  const leads = (link: LinkTarget): boolean => {
    const resolution = resolveLink(link, from, names);
    return resolution.state === 'resolved' && resolution.path === wanted;
  };
  const { form } = source;
  for (const target of targets(source, wanted, from)) {
    if (form === 'wikilink' && !fitsWikilink(target)) continue;
    if (leads({ form, target })) return { text: withTarget(source, target, alias), asMarkdown: false };
  }
  if (form !== 'wikilink') return null;
  const style = { form: 'markdown', target: nameOf(wanted) } as const;
  for (const target of targets(style, wanted, from)) {
    if (leads({ form: 'markdown', target })) return { text: asMarkdown(source, target, wanted), asMarkdown: true };
  }
  return null;
}

function* targets({ form, target }: LinkTarget, wanted: VaultPath, from: VaultPath): Generator<string> {
  const wholeName = form === 'wikilink' ? /\.md$/i.test(target) : nameOf(target).includes('.');
  for (const via of ways({ form, target }, wanted, from)) {
    yield* newTargets({ form, target, via, wholeName }, wanted, from);
  }
}

/** How a link of this kind is best followed, then how else it could be. */
function ways({ form, target }: LinkTarget, wanted: VaultPath, from: VaultPath): readonly Via[] {
  const { start = 'open', segments = [] } = parseTarget(target) ?? {};
  if (start === 'folder') return ['relative', 'root'];
  if (start === 'root') return ['root'];
  if (form === 'wikilink') return [segments.length > 1 ? 'exact' : 'stem', 'root', 'relative'];
  return isFromRoot(segments, wanted, from) ? ['root', 'relative'] : ['relative', 'root'];
}

/** Whether a markdown target seems to name folders from the root on. */
function isFromRoot(segments: readonly string[], wanted: VaultPath, from: VaultPath): boolean {
  const [first = '', ...more] = segments;
  const top = (path: string) => pathKey(path.split('/')[0] ?? '');
  return more.length > 0 && first !== '..' && pathKey(first) === top(wanted) && top(from) !== top(wanted);
}

function withTarget({ form, text, at, inside, embed }: LinkSource, target: string, alias: string | undefined): string {
  const before = text.slice(0, at.from);
  const after = text.slice(at.to);
  if (inside === 'canvas-path') return `${before}${JSON.stringify(target.replace(/^\//, '')).slice(1, -1)}${after}`;
  if (form !== 'wikilink') {
    const written = encodeDestination(target, text.slice(at.from, at.to), before.endsWith('<'));
    return `${before}${escaped(written, inside)}${after}`;
  }
  const isNamed = embed === true || alias === undefined || /[[\]|\n]/.test(alias) || after.includes('|');
  const named = isNamed ? after : `${after.replace(/\]\]$/, '')}${pipe(inside)}${escaped(alias, inside)}]]`;
  return `${before}${escaped(target, inside)}${named}`;
}

function asMarkdown({ embed, alias, heading, block, inside }: LinkSource, target: string, wanted: VaultPath): string {
  const label = (alias ?? (embed === true ? '' : withoutSuffix(nameOf(wanted)))).replace(/[\\[\]|`*_<>]/g, '\\$&');
  const fragment = heading ?? (block ? `^${block}` : '');
  const destination = encodeDestination(target, OUR_ENCODING, false);
  const place = fragment ? `#${encodeDestination(fragment, OUR_ENCODING, false)}` : '';
  return escaped(`${embed === true ? '!' : ''}[${label}](${destination}${place})`, inside);
}

/** In a table a bare one ends the cell. */
function pipe(inside: Surroundings): string {
  return inside === 'table' ? '\\|' : '|';
}

function escaped(text: string, inside: Surroundings): string {
  return escapeForYaml(text, inside === 'yaml-single' ? "'" : inside === 'yaml-double' ? '"' : '');
}

/** The folder that a path in a link starts at, when it says so. */
export function startOf({ target }: Pick<LinkTarget, 'target'>, from: VaultPath): string {
  return parseTarget(target)?.start === 'folder' ? parentOf(from) : '';
}
