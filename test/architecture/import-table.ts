/**
 * Who may import whom: DESIGN's table as data, and the rules over it. Danger: an arrow added here is an architecture
 * decision; it belongs into ARCHITECTURE.md in the same commit.
 */
import type { Rule, SourceFile } from './source-files.ts';

const S = 'packages/shared/src';
const A = 'apps/api/src';
const I = 'apps/indexer/src';
const C = 'apps/cli/src';

/** Open to all. */
const OPEN = [`${S}/errors.ts`, `${S}/log.ts`];

/**
 * Folder, or single file, → what it may import besides itself, OPEN and packages. A file belongs to the longest row
 * that holds it; a row named `<app>/src` is for the composition roots that stand directly in it. Type imports count:
 * knowing another part's shapes is knowing that part.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  [`${S}/errors.ts`]: [],
  [`${S}/log.ts`]: [],
  // The errors that a program can end with, of whatever part.
  [`${S}/program-end.ts`]: [
    ...[`${S}/config`, `${S}/vault`, `${S}/embedding`, `${S}/index-db`, `${S}/records`],
    `${S}/remote/base-url.ts`,
  ],
  [`${S}/config`]: [],
  [`${S}/vault`]: [],
  // The one piece of configuration it knows: the list of languages its table must be complete for, by type.
  [`${S}/analysis`]: [`${S}/config/languages.ts`],
  // The one thing it knows of documents: what is done with their pages.
  [`${S}/queue`]: [`${S}/vault/document-pages.ts`],
  // The one piece of configuration they know: the rules for a remote address and its key, which all must agree on.
  [`${S}/remote`]: [`${S}/config/remote-endpoint.ts`],
  [`${S}/embedding`]: [`${S}/config/remote-endpoint.ts`, `${S}/remote`],
  [`${S}/chunk`]: [`${S}/vault`, `${S}/analysis`, `${S}/index-db/rows.ts`],
  // The one piece of configuration it knows: how the text of the agents' keys file is read.
  [`${S}/records`]: [`${S}/vault`, `${S}/config/agent-keys-text.ts`],
  [`${S}/index-db`]: [`${S}/vault`, `${S}/analysis`],
  [`${S}/link-repair`]: [`${S}/vault`, `${S}/index-db`],

  [A]: [A, S],
  // By type: what the engines of memory ask of a chat model.
  [`${A}/context.ts`]: [S, `${A}/memory/ports.ts`],
  // By type: what the index counts is what the gauges show.
  [`${A}/metrics.ts`]: [`${A}/embedding-exposition.ts`, `${S}/index-db/rows.ts`],
  [`${A}/embedding-exposition.ts`]: [`${S}/index-db/rows.ts`],
  [`${A}/audited-call.ts`]: [`${S}/records/audit.ts`],
  // What each caller's calls work on: a view of the vault.
  [`${A}/callers.ts`]: [
    ...[`${A}/context.ts`, `${A}/audited-call.ts`],
    ...[`${S}/vault`, `${S}/config/agent-names.ts`],
  ],
  [`${A}/http`]: [
    ...[`${A}/context.ts`, `${A}/callers.ts`, `${A}/metrics.ts`, `${A}/audited-call.ts`, `${A}/mcp`],
    ...[`${A}/operations`, `${A}/rendering`],
    `${S}/vault/path.ts`,
  ],
  [`${A}/mcp`]: [
    ...[`${A}/context.ts`, `${A}/metrics.ts`, `${A}/audited-call.ts`, `${A}/operations`, `${A}/rendering`],
    // By type: what a caller's rights are, for the list of tools and what is said of it.
    ...[`${S}/vault/path.ts`, `${S}/vault/access.ts`],
  ],
  [`${A}/operations`]: [
    ...[`${A}/context.ts`, `${A}/search`, `${A}/links`, `${A}/memory`, `${A}/checks`],
    ...[`${S}/chunk`, `${S}/vault`, `${S}/queue`, `${S}/index-db`, `${S}/records`],
  ],
  // The one thing it shares with the index page: what markdown would read is escaped in the same way.
  [`${A}/rendering`]: [
    ...[`${A}/search`, `${A}/links`, `${A}/memory`, `${A}/checks`, `${A}/operations`],
    `${S}/vault/note/escaped-text.ts`,
  ],
  [`${A}/search`]: [`${S}/analysis`, `${S}/embedding`, `${S}/index-db`, `${S}/vault`],
  [`${A}/links`]: [`${S}/vault`, `${S}/index-db`],
  [`${A}/memory`]: [
    ...[`${A}/search`, `${S}/vault`, `${S}/queue`, `${S}/index-db`, `${S}/embedding`, `${S}/records`],
    ...[`${S}/chunk`, `${S}/analysis`, `${S}/remote`],
  ],
  [`${A}/checks`]: [`${A}/links`, `${S}/vault`, `${S}/index-db`],
  [`${A}/console`]: [],

  [I]: [I, S],
  [`${I}/watch`]: [`${I}/sync`, `${S}/vault`, `${S}/queue`, `${S}/index-db`],
  [`${I}/jobs`]: [
    ...[`${I}/sync`, `${I}/extract`, `${I}/embed`, `${I}/watch`, `${I}/catalog`, `${I}/cache`],
    ...[`${S}/queue`, `${S}/embedding`],
  ],
  [`${I}/sync`]: [
    ...[`${I}/extract`, `${I}/cache`],
    ...[`${S}/chunk`, `${S}/vault`, `${S}/index-db`, `${S}/queue`, `${S}/analysis`],
  ],
  // Of configuration it knows the suffixes its registry must be complete for, by type, and where programs are looked for.
  [`${I}/extract`]: [
    ...[`${I}/cache`, `${S}/vault`, `${S}/queue`],
    ...[`${S}/config/sections/vault.ts`, `${S}/config/program-places.ts`],
  ],
  [`${I}/embed`]: [`${I}/cache`, `${S}/chunk`, `${S}/embedding`, `${S}/index-db`, `${S}/queue`],
  // What damage is and how a database is removed is the same for both files.
  [`${I}/cache`]: [`${S}/index-db/open.ts`],
  [`${I}/catalog`]: [`${S}/vault`, `${S}/index-db`],
  [`${I}/links`]: [`${S}/vault`, `${S}/index-db`, `${S}/link-repair`, `${S}/queue`],

  [C]: [C, A, I, S],
};

function isUnder(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function rowOf(path: string): string | undefined {
  return Object.keys(MAY_IMPORT)
    .filter((row) => isUnder(path, row))
    .sort((a, b) => b.length - a.length)[0];
}

/** Composition roots' rows (`apps/x/src`) hold only the files directly in them, so that a new folder needs a row. */
function hasOwnRow(path: string, row: string): boolean {
  if (row !== A && row !== I) return true;
  return !path.slice(row.length + 1).includes('/');
}

export const followsImportTable: Rule = (files) =>
  files.filter((file) => !file.isTest).flatMap((file) => strayImports(file));

function strayImports(file: SourceFile): string[] {
  const row = rowOf(file.path);
  if (row === undefined || !hasOwnRow(file.path, row)) {
    return [`${file.path} stands in a folder that the import table has no row for`];
  }
  const allowed = [row, ...OPEN, ...(MAY_IMPORT[row] ?? [])];
  return file.imports
    .filter(({ own, target }) => own && !allowed.some((place) => isUnder(target, place)))
    .map(({ target }) => `${file.path} imports ${target}, which ${row} may not`);
}

/** Every cycle is reported once, by the file in it that comes first in the alphabet. */
export const hasNoCycles: Rule = (files) => {
  const graph = new Map(
    files.map((file) => [file.path, file.imports.filter((one) => one.own).map((one) => one.target)]),
  );
  const cycles = new Map<string, string>();
  for (const start of graph.keys()) {
    const cycle = pathBackTo(start, graph);
    if (!cycle) continue;
    const members = [...cycle].sort().join(' ');
    if (!cycles.has(members)) cycles.set(members, `${[...cycle, start].join(' -> ')} is an import cycle`);
  }
  return [...cycles.values()];
};

/** Shortest way from `start` over its imports back to itself. */
function pathBackTo(start: string, graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  let frontier = [start];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const from of frontier) {
      for (const to of graph.get(from) ?? []) {
        if (to === start) return wayFrom(start, from, cameFrom);
        if (cameFrom.has(to)) continue;
        cameFrom.set(to, from);
        next.push(to);
      }
    }
    frontier = next;
  }
  return undefined;
}

function wayFrom(start: string, end: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    way.unshift(at);
  }
  return way;
}
