/** What is wrong with the links of a whole vault, and which notes stand alone. Pure. */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { type FoundLink, foundLink, type Outcome, outcomeOf } from './found-link.ts';
import type { GraphLink, LinkGraph } from './link-graph.ts';
import { type ListPage, type Marks, nextMarks, numberKey, type PageRequest, pageAfter } from './list-page.ts';

/** A link with the file that it stands in. */
export interface LinkSomewhere extends FoundLink {
  readonly path: VaultPath;
}

export interface VaultLinks {
  /** The whole vault. */
  readonly path: '';
  readonly broken: readonly LinkSomewhere[];
  readonly ambiguous: readonly LinkSomewhere[];
  /** Notes that no other file links to, and that link to none. */
  readonly orphans: readonly VaultPath[];
  readonly counts: {
    /** Notes whose links are known. */
    readonly notes: number;
    /** All links of notes and canvases, each as often as it stands there. */
    readonly links: number;
    /** Links that lead to one file. */
    readonly resolved: number;
    readonly broken: number;
    readonly ambiguous: number;
    /** Links that may lead into folders that could not be read, and nowhere else: they are in no list. */
    readonly unknown: number;
    readonly orphans: number;
  };
}

/** What a graph says of the files that are the vault's business. */
export interface VaultView {
  readonly graph: LinkGraph;
  /** The folders that could not be read; the same list as long as they are the same. */
  readonly unread: readonly VaultPath[];
  /** Whether what is wrong with a file's own links is nobody's business. */
  isExcluded(path: VaultPath): boolean;
}

/** One link where it stands. */
interface Place {
  readonly from: VaultPath;
  readonly link: GraphLink;
  readonly line: number;
  /** Of those of its target, from 0. */
  readonly nth: number;
}

export function vaultLinks(
  view: VaultView,
  { marks, limit }: PageRequest,
): VaultLinks & { readonly marks: Marks | null } {
  const seen = findings(view);
  const page = (name: 'broken' | 'ambiguous') => pageAfter(seen[name], keyOf, marks[name], limit);
  const pages = {
    broken: page('broken'),
    ambiguous: page('ambiguous'),
    orphans: pageAfter(seen.orphans, (path) => path, marks.orphans, limit),
  };
  const { broken, ambiguous, orphans } = pages;
  const { notes, links, unknown } = seen;
  const resolved = links - broken.all - ambiguous.all - unknown;
  return {
    path: '',
    broken: somewhere(broken),
    ambiguous: somewhere(ambiguous),
    orphans: orphans.shown,
    counts: { notes, links, resolved, broken: broken.all, ambiguous: ambiguous.all, unknown, orphans: orphans.all },
    marks: nextMarks(pages),
  };
}

interface Findings {
  readonly broken: readonly Place[];
  readonly ambiguous: readonly Place[];
  readonly orphans: readonly VaultPath[];
  readonly notes: number;
  readonly links: number;
  readonly unknown: number;
}

const known = new WeakMap<
  LinkGraph,
  { readonly version: number; readonly unread: VaultView['unread']; readonly found: Findings }
>();

/** Kept until the graph changes: they are asked for page by page. */
function findings(view: VaultView): Findings {
  const { graph, unread } = view;
  const last = known.get(graph);
  if (last?.version === graph.version && last.unread === unread) return last.found;
  const found = lookThrough(view);
  known.set(graph, { version: graph.version, unread, found });
  return found;
}

function lookThrough({ graph, unread, isExcluded }: VaultView): Findings {
  const found = { broken: [] as Place[], ambiguous: [] as Place[], orphans: [] as VaultPath[] };
  const counts = { notes: 0, links: 0, unknown: 0 };
  for (const from of [...graph.sources()].sort()) {
    if (isExcluded(from)) continue;
    const own: Record<Outcome, GraphLink[]> = { resolved: [], broken: [], ambiguous: [], unknown: [] };
    for (const link of graph.linksOf(from)) {
      const outcome = outcomeOf(link, link.resolution, from, unread);
      own[outcome].push(link);
      counts.links += link.lines.length;
      if (outcome === 'unknown') counts.unknown += link.lines.length;
    }
    found.broken.push(...placesOf(from, own.broken));
    found.ambiguous.push(...placesOf(from, own.ambiguous));
    if (!from.toLowerCase().endsWith('.md')) continue;
    counts.notes++;
    if (own.unknown.length === 0 && graph.linkedWith(from, 0) !== null) found.orphans.push(from);
  }
  return { ...found, ...counts };
}

/** By line, then by target. */
function placesOf(from: VaultPath, links: readonly GraphLink[]): Place[] {
  const places = links.flatMap((link) => link.lines.map((line, nth) => ({ from, link, line, nth })));
  if (places.length < 2) return places;
  const keyed = places.map((place) => ({ place, key: keyOf(place) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ place }) => place);
}

/** Made when it is asked for: the places are kept, and a key is longer than all the rest of one. */
function keyOf({ from, link, line, nth }: Place): string {
  return `${from}\0${numberKey(line)}\0${link.form}\0${link.target}\0${numberKey(nth)}`;
}

function somewhere({ shown }: ListPage<Place>): LinkSomewhere[] {
  return shown.map(({ from, link: { form, target, resolution }, line }) => ({
    path: from,
    ...foundLink({ form, target, line }, resolution, from),
  }));
}
