/**
 * What links to what, as text. Pure. One entry a line, paths whole, so that they can be pasted into the next call. Danger:
 * targets and aliases are somebody's text; none of them may make a line of its own.
 */
import type { FileLinks, LinkingFile } from '../links/file-links.ts';
import type { FoundLink } from '../links/found-link.ts';
import type { Neighbour } from '../links/neighbours.ts';
import type { LinkSomewhere, VaultLinks } from '../links/vault-links.ts';
import type { FoundLinks } from '../operations/find-links.ts';
import { oneLine } from './one-line.ts';

/** @returns a block for each list that holds something; then, when there is more, the cursor to go on with */
export function linksText(found: FoundLinks): string {
  const blocks = isOfVault(found) ? vaultBlocks(found) : fileBlocks(found);
  const building = found.degraded.includes('index_building')
    ? ['The index is still being built, so links may be missing.']
    : [];
  const rest = found.next_cursor === null ? [] : [`More follows. next_cursor: ${found.next_cursor}`];
  return `${[...blocks, ...unreadBlock(found), ...building, ...rest].join('\n\n')}\n`;
}

function unreadBlock({ left_out, counts }: FoundLinks): string[] {
  if (left_out.length === 0) return [];
  const lines = left_out.map(({ path, reason }) => `- ${oneLine(`${path === '' ? 'the vault' : path}: ${reason}`)}`);
  const unknown = counts.unknown > 0 ? ` ${counts.unknown} links that may lead into it are in no list above.` : '';
  return [[`Incomplete, since this could not be read.${unknown}`, ...lines].join('\n')];
}

function isOfVault(found: FoundLinks): found is FoundLinks & VaultLinks {
  return found.path === '';
}

function vaultBlocks({ counts, broken, ambiguous, orphans }: VaultLinks): string[] {
  const head = `The vault: ${counts.notes} notes with ${counts.links} links, of which ${counts.resolved} lead to one file.`;
  return [
    head,
    ...block('Broken (lead nowhere)', counts.broken, broken.map(somewhereLine)),
    ...block('Ambiguous (could mean several files)', counts.ambiguous, ambiguous.map(somewhereLine)),
    ...block('Orphans (linked with no other file)', counts.orphans, orphans.map(oneLine)),
  ];
}

function fileBlocks(found: FileLinks): string[] {
  const { path, kind, counts, neighbours } = found;
  return [
    `${oneLine(path)} (${kind}). Links out: ${counts.outlinks}, files that link here: ${counts.backlinks}, broken: ${counts.broken}, ambiguous: ${counts.ambiguous}.`,
    ...block('Links out', counts.outlinks, found.outlinks.map(linkLine)),
    ...block('Linked from', counts.backlinks, found.backlinks.map(backlinkLine)),
    ...block('Broken (lead nowhere)', counts.broken, found.broken.map(linkLine)),
    ...block('Ambiguous (could mean several files)', counts.ambiguous, found.ambiguous.map(linkLine)),
    ...block('Near (linked, then by shared links)', neighbours.length, neighbours.map(neighbourLine)),
  ];
}

function block(title: string, all: number, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const head = lines.length === all ? `${title}: ${all}` : `${title}: ${lines.length} of ${all} shown`;
  return [[head, ...lines.map((line) => `- ${line}`)].join('\n')];
}

function somewhereLine(link: LinkSomewhere): string {
  const where = link.line === null ? link.path : `${link.path}, line ${link.line}`;
  return `${oneLine(where)}: ${leading(link)}`;
}

function linkLine(link: FoundLink): string {
  return link.line === null ? leading(link) : `line ${link.line}: ${leading(link)}`;
}

/** How it is written, and where it leads. */
function leading({ form, target, heading, block: blockId, embed, to, candidates }: FoundLink): string {
  const fragment = heading ? `#${heading}` : blockId ? `#^${blockId}` : '';
  const text = form === 'wikilink' ? `[[${target}${fragment}]]` : `(${target}${fragment})`;
  const written = oneLine(embed ? `!${text}` : text);
  if (candidates !== undefined) {
    return `${written} could mean ${candidates.map(oneLine).join(' | ')} (Obsidian opens the first)`;
  }
  return to === undefined ? written : `${written} -> ${oneLine(to)}`;
}

function backlinkLine({ path, lines, more_lines, ambiguous }: LinkingFile): string {
  const more = more_lines === undefined ? '' : ` and ${more_lines} more`;
  const where = lines.length === 0 ? '' : `, line ${lines.join(', ')}${more}`;
  return `${oneLine(path)}${where}${ambiguous ? ' (ambiguous there)' : ''}`;
}

function neighbourLine({ path, distance, shared }: Neighbour): string {
  const how = distance === 1 ? 'linked' : 'not linked itself';
  return `${oneLine(path)} (${how}, ${shared} shared)`;
}
