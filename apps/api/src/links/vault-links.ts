/** What is wrong with the links of a whole vault, and which notes stand alone. Pure. */
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import { type FoundLink, foundLink } from './found-link.ts';
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
    readonly orphans: number;
  };
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
  graph: LinkGraph,
  { marks, limit }: PageRequest,
): VaultLinks & { readonly marks: Marks | null } {
  const seen = findings(graph);
  const page = (name: 'broken' | 'ambiguous') => pageAfter(seen[name], keyOf, marks[name], limit);
  const pages = {
    broken: page('broken'),
    ambiguous: page('ambiguous'),
    orphans: pageAfter(seen.orphans, (path) => path, marks.orphans, limit),
  };
  const { broken, ambiguous, orphans } = pages;
  const { notes, links } = seen;
  const resolved = links - broken.all - ambiguous.all;
  return {
    path: '',
    broken: somewhere(broken),
    ambiguous: somewhere(ambiguous),
    orphans: orphans.shown,
    counts: { notes, links, resolved, broken: broken.all, ambiguous: ambiguous.all, orphans: orphans.all },
    marks: nextMarks(pages),
  };
}

interface Findings {
  readonly broken: readonly Place[];
  readonly ambiguous: readonly Place[];
  readonly orphans: readonly VaultPath[];
  readonly notes: number;
  readonly links: number;
}

const known = new WeakMap<LinkGraph, { readonly version: number; readonly found: Findings }>();

/** Kept until the graph changes: they are asked for page by page. */
function findings(graph: LinkGraph): Findings {
  const last = known.get(graph);
  if (last?.version === graph.version) return last.found;
  const found = lookThrough(graph);
  known.set(graph, { version: graph.version, found });
  return found;
}

function lookThrough(graph: LinkGraph): Findings {
  const broken: Place[] = [];
  const ambiguous: Place[] = [];
  const orphans: VaultPath[] = [];
  let notes = 0;
  let links = 0;
  for (const from of [...graph.sources()].sort()) {
    const own = graph.linksOf(from);
    for (const link of own) links += link.lines.length;
    broken.push(...placesOf(from, own, 'broken'));
    ambiguous.push(...placesOf(from, own, 'ambiguous'));
    if (!from.toLowerCase().endsWith('.md')) continue;
    notes++;
    if (graph.into(from).size === 0 && graph.outOf(from).size === 0) orphans.push(from);
  }
  return { broken, ambiguous, orphans, notes, links };
}

/** By line, then by target. */
function placesOf(from: VaultPath, links: readonly GraphLink[], state: GraphLink['resolution']['state']): Place[] {
  const wanted = links.filter(({ resolution }) => resolution.state === state);
  const places = wanted.flatMap((link) => link.lines.map((line, nth) => ({ from, link, line, nth })));
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
