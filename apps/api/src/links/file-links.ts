/** What one file links to, what links to it, and what is near. Pure. */
import type { FileKind, VaultPath } from '@vault-mcp/shared/vault/path';
import { type FoundLink, sortedOut, type WrittenLink } from './found-link.ts';
import type { LinkGraph } from './link-graph.ts';
import { type Marks, nextMarks, numberKey, type PageRequest, pageAfter } from './list-page.ts';
import { type Neighbour, neighboursOf } from './neighbours.ts';

/** Neighbours named; further ones are not near. */
const MAX_NEIGHBOURS = 30;
/** Lines named of one file; a log links to what it is about on every other line. */
const MAX_LINES = 20;

export interface LinkingFile {
  readonly path: VaultPath;
  /** 1-based, in order, the first of them; empty for a canvas. */
  readonly lines: readonly number[];
  /** How many lines more; absent where all are named. */
  readonly more_lines?: number;
  /** Its link could mean another file too. */
  readonly ambiguous?: true;
}

export interface FileLinks {
  /** As it is spelt on the disk. */
  readonly path: VaultPath;
  readonly kind: FileKind;
  /** Links that lead to one file. */
  readonly outlinks: readonly FoundLink[];
  /** The other files that link here. */
  readonly backlinks: readonly LinkingFile[];
  /** Its links that lead nowhere. */
  readonly broken: readonly FoundLink[];
  /** Its links that could mean several files. */
  readonly ambiguous: readonly FoundLink[];
  /** Notes and documents, the nearest first. */
  readonly neighbours: readonly Neighbour[];
  /** Entries of the whole lists. */
  readonly counts: Readonly<Record<'outlinks' | 'backlinks' | 'broken' | 'ambiguous', number>> & {
    /** Its links that may lead into folders that could not be read, and nowhere else: they are in no list. */
    readonly unknown: number;
  };
}

export interface AskedFile {
  readonly path: VaultPath;
  readonly kind: FileKind;
  /** As they stand in it now. */
  readonly links: readonly WrittenLink[];
}

export interface GraphView {
  readonly graph: LinkGraph;
  /** The folders that could not be read. */
  readonly unread: readonly VaultPath[];
  /** Whether a file may be named as a neighbour. */
  isNear(path: VaultPath): boolean;
}

export function fileLinks(
  { graph, unread, isNear }: GraphView,
  { path, kind, links }: AskedFile,
  { marks, limit }: PageRequest,
): FileLinks & { readonly marks: Marks | null } {
  const own = sortedOut(links, path, graph, unread);
  const page = (name: string, list: readonly { readonly at: number; readonly link: FoundLink }[]) =>
    pageAfter(list, ({ at }) => numberKey(at), marks[name], limit);
  const pages = {
    outlinks: page('outlinks', own.resolved),
    backlinks: pageAfter([...graph.into(path)].sort(), (from) => from, marks.backlinks, limit),
    broken: page('broken', own.broken),
    ambiguous: page('ambiguous', own.ambiguous),
  };
  const { outlinks, backlinks, broken, ambiguous } = pages;
  return {
    path,
    kind,
    outlinks: outlinks.shown.map(({ link }) => link),
    backlinks: backlinks.shown.map((from) => linkingFile(graph, from, path)),
    broken: broken.shown.map(({ link }) => link),
    ambiguous: ambiguous.shown.map(({ link }) => link),
    neighbours: neighboursOf(graph, path, isNear, Math.min(limit, MAX_NEIGHBOURS)),
    counts: {
      ...{ outlinks: outlinks.all, backlinks: backlinks.all, broken: broken.all, ambiguous: ambiguous.all },
      unknown: own.unknown.length,
    },
    marks: nextMarks(pages),
  };
}

function linkingFile(graph: LinkGraph, from: VaultPath, to: VaultPath): LinkingFile {
  const { path, lines, ambiguous } = graph.backlink(from, to);
  const more = lines.length - MAX_LINES;
  return {
    ...{ path, lines: lines.slice(0, MAX_LINES) },
    ...(more > 0 ? { more_lines: more } : {}),
    ...(ambiguous ? { ambiguous } : {}),
  };
}
