/**
 * What to do about a link that leads nowhere or could mean several files: the texts that can be pasted in its place, and what
 * else there is to do. Pure. Danger: which file somebody meant is a guess, so it is offered and nothing is written by it; that
 * a text leads to the file it is offered for is none (retarget.ts).
 */
import { obsidianChoice } from '@vault-mcp/shared/vault/note/obsidian-choice';
import { parseTarget, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import type { VaultNames } from '@vault-mcp/shared/vault/note/vault-names';
import { nameOf, parentOf, parseVaultPath, shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import { firstFew } from './first-few.ts';
import type { FoundLink } from './found-link.ts';
import type { LinkSource } from './link-source.ts';
import { comparedName, type NearNames } from './near-names.ts';
import { type Retargeted, retarget, startOf } from './retarget.ts';

export interface LinkFix {
  /** The link as it stands in the file; of one that is not found there, what is known of it. */
  readonly written: string;
  /** Each of them can stand in its place; the likeliest first. */
  readonly paste: readonly string[];
  /** What else to do, in whole sentences; empty where there is nothing more to say. */
  readonly advice: string;
  /** The first of the files that an ambiguous one could mean, in the same order, and how many there are. */
  readonly meant?: { readonly files: readonly VaultPath[]; readonly total: number };
}

/** What is known of the vault, besides the link. */
export interface FixView {
  readonly names: VaultNames;
  readonly near: NearNames;
  /** The notes that call themselves by a name (`aliases`), by that name as it is compared. */
  readonly aliases: ReadonlyMap<string, readonly VaultPath[]>;
}

/** Files that are offered in place of one that could be any of them. */
const MAX_CANDIDATES = 5;
/** A longer link, whose text may be a chapter, is not repeated with every file that it could lead to. */
const MAX_TEXT = 1_000;
/** Files that are offered in place of one that is not there. */
const MAX_NEAR = 3;
/** What is linked to by its name with the suffix: Obsidian makes no note of such a name. */
const FILE_SUFFIX =
  /\.(?:avif|bmp|gif|jpe?g|png|svg|webp|flac|m4a|mp3|ogg|wav|webm|3gp|mkv|mov|mp4|ogv|pdf|canvas|base|docx?|xlsx?|pptx?|zip)$/i;
/** An address as people say it: without its scheme it is the path of a file. */
const WEB_HOST = /^www\.[^\s/]+\.[a-z]{2,}(?:\/|$)/i;

/**
 * For a link that could mean several files: first the one that Obsidian opens, then those nearest to where it stands.
 * @param first the one that Obsidian opens, where that is known already
 */
export function ambiguousFix(source: LinkSource, from: VaultPath, names: VaultNames, first?: VaultPath): LinkFix {
  const resolution = resolveLink(source, from, names);
  if (resolution.state !== 'ambiguous') throw new Error('The link is not ambiguous.');
  const { candidates } = resolution;
  const opened = first ?? obsidianChoice(candidates, from);
  const byPlace = nearestTo(from);
  const isFirst = (path: VaultPath) => Number(path === opened);
  const files = firstFew(candidates, MAX_CANDIDATES, (a, b) => isFirst(b) - isFirst(a) || byPlace(a, b));
  const { paste, hints } = offers(source, files, (wanted) => retarget(source, wanted, { from, names }));
  const none = paste.length + hints.length === 0 ? ['No link leads to one of them alone: give one another name.'] : [];
  const meant = { files, total: candidates.length };
  return { written: inShort(source.text), paste, advice: [...none, ...hints].join(' '), meant };
}

/** By how many folders from the top on two paths share; then the shorter one. */
function nearestTo(from: VaultPath): (a: VaultPath, b: VaultPath) => number {
  const own = `${parentOf(from)}/`;
  const shared = (path: VaultPath): number => {
    let folders = 0;
    for (let at = 0; at < own.length && path[at] === own[at]; at++) if (own[at] === '/') folders++;
    return folders;
  };
  return (a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1);
}

/** For a link that leads nowhere. */
export function brokenFix(source: LinkSource, from: VaultPath, { names, near, aliases }: FixView): LinkFix {
  const { target } = source;
  const namesakes = near.namesakes(target, from, MAX_NEAR);
  const called = aliases.get(comparedName(nameOf(target))) ?? [];
  const known = [...namesakes, ...called.slice(0, MAX_NEAR)];
  const meant = known.length > 0 ? known : near.similar(target, from, MAX_NEAR);
  const alias = source.form === 'wikilink' ? nameOf(target) : undefined;
  const { paste, hints } = offers(source, [...new Set(meant)].slice(0, MAX_NEAR), (wanted) =>
    retarget(source, wanted, { from, names, alias: called.includes(wanted) ? alias : undefined }),
  );
  const otherwise = otherWays(source, from, near);
  const lead = paste.length + hints.length > 0 ? 'Or ' : 'Nothing has a name like it: ';
  return { written: inShort(source.text), paste, advice: [...hints, `${lead}${otherwise}.`].join(' ') };
}

/** For a link that does not stand in its file any more, or in one that cannot be read; or that nobody has looked for. */
export function unseenFix(
  { form, target, candidates }: FoundLink,
  advice = 'The file was changed just now, or cannot be read: look for the link in it.',
): LinkFix {
  const written = form === 'wikilink' ? `[[${target}]]` : `The link to ${target}`;
  const meant = candidates && { files: candidates.slice(0, MAX_CANDIDATES), total: candidates.length };
  return { written, paste: [], advice, ...(meant === undefined ? {} : { meant }) };
}

function offers(
  source: LinkSource,
  files: readonly VaultPath[],
  make: (wanted: VaultPath) => Retargeted | null,
): { readonly paste: readonly string[]; readonly hints: readonly string[] } {
  if (source.text.length > MAX_TEXT) {
    const named = files.map((path) => `"${shown(path)}"`).join(' or ');
    return { paste: [], hints: named === '' ? [] : [`It is too long to be repeated here: let it lead to ${named}.`] };
  }
  const made = files.map(make).filter((one) => one !== null);
  const hints = made.some(({ asMarkdown }) => asMarkdown)
    ? ['No wikilink can hold such a path ([ ] | # ^), so that one is a Markdown link.']
    : [];
  const paste = new Set(made.map(({ text }) => text).filter((text) => text !== source.text));
  return { paste: [...paste], hints };
}

function inShort(text: string): string {
  return text.length > MAX_TEXT ? shown(text) : text;
}

function otherWays(source: LinkSource, from: VaultPath, near: NearNames): string {
  const { embed, inside, form, target } = source;
  if (form !== 'wikilink' && WEB_HOST.test(target)) return 'begin it with https://, if it means the web';
  if (near.isFolder(source, from)) return 'link to a note in that folder, since no link leads to a folder';
  const place = newPath(source, from);
  const make =
    place === null
      ? []
      : [FILE_SUFFIX.test(place) ? `add the file "${shown(place)}"` : `make the note "${shown(place)}"`];
  if (inside === 'canvas-path') return [...make, 'take it off the canvas'].join(', or ');
  const isAlone = embed === true || form === 'reference' || inside.startsWith('yaml');
  const text = source.alias || nameOf(target) || target;
  return [...make, isAlone ? 'remove the link' : `write "${shown(text)}" without a link`].join(', or ');
}

/** Where Obsidian, as it is set up at first, makes the note that a link means; null where none can be called so. */
function newPath({ target }: LinkSource, from: VaultPath): VaultPath | null {
  const parsed = parseTarget(target);
  if (parsed === null) return null;
  const written = [startOf({ target }, from), ...parsed.segments].filter((part) => part !== '').join('/');
  const hasSuffix = /\.md$/i.test(written) || FILE_SUFFIX.test(written);
  try {
    return parseVaultPath(hasSuffix ? written : `${written}.md`);
  } catch {
    return null;
  }
}
