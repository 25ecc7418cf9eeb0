/** A link as answers show it: how it is written, where it stands, where it leads. Pure. */
import { type LinkTarget, mayLeadBelow, type Resolution, resolveLink } from '@vault-mcp/shared/vault/note/resolve-link';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { destinationOf, type LinkGraph, type PlacedLink } from './link-graph.ts';

/** A link with all that is known of how it is written. */
export interface WrittenLink extends PlacedLink {
  readonly embed?: boolean | undefined;
  readonly heading?: string | null | undefined;
  readonly block?: string | null | undefined;
  readonly alias?: string | null | undefined;
}

export interface FoundLink {
  /** 1-based; null in a canvas, which has no lines that a person sees. */
  readonly line: number | null;
  readonly form: string;
  /** Without fragment and alias; empty for a fragment of the file itself. */
  readonly target: string;
  readonly embed?: true;
  readonly heading?: string;
  readonly block?: string;
  readonly alias?: string;
  /** Where it leads; of an ambiguous one, the file that Obsidian opens. Absent of a broken one. */
  readonly to?: VaultPath;
  /** The files that an ambiguous one could mean, the most likely first. */
  readonly candidates?: readonly VaultPath[];
}

/** Files named that an ambiguous link could mean; daily notes and readmes come in thousands. */
const MAX_CANDIDATES = 20;

/** @param from the file it stands in */
export function foundLink(link: WrittenLink, resolution: Resolution, from: VaultPath): FoundLink {
  const { line, form, target, embed, heading, block, alias } = link;
  const to = destinationOf(resolution, from);
  return {
    line: line > 0 ? line : null,
    form,
    target,
    ...(embed === true ? { embed } : {}),
    ...(heading ? { heading } : {}),
    ...(block ? { block } : {}),
    ...(alias ? { alias } : {}),
    ...(to === undefined ? {} : { to }),
    ...(resolution.state === 'ambiguous' ? { candidates: candidatesOf(resolution.candidates, to) } : {}),
  };
}

/** `unknown`: leads to no file that is known, but could to one in a folder that could not be read. */
export type Outcome = Resolution['state'] | 'unknown';

/** @param unread the folders that could not be read */
export function outcomeOf(
  link: LinkTarget,
  { state }: Resolution,
  from: VaultPath,
  unread: readonly VaultPath[],
): Outcome {
  if (state !== 'broken') return state;
  return unread.some((folder) => mayLeadBelow(link, from, folder)) ? 'unknown' : 'broken';
}

/** Every link of a file by what became of it, each in the order in which it stands there. */
export function sortedOut(
  links: readonly WrittenLink[],
  from: VaultPath,
  { names }: Pick<LinkGraph, 'names'>,
  unread: readonly VaultPath[],
): Record<Outcome, { readonly at: number; readonly link: FoundLink }[]> {
  const sorted: ReturnType<typeof sortedOut> = { resolved: [], broken: [], ambiguous: [], unknown: [] };
  links.forEach((link, at) => {
    const resolution = resolveLink(link, from, names);
    sorted[outcomeOf(link, resolution, from, unread)].push({ at, link: foundLink(link, resolution, from) });
  });
  return sorted;
}

function candidatesOf(all: readonly VaultPath[], first: VaultPath | undefined): VaultPath[] {
  const others = all.filter((path) => path !== first);
  return [...(first === undefined ? [] : [first]), ...others].slice(0, MAX_CANDIDATES);
}
