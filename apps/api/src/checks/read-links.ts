/**
 * The links of files that the index has no rows of (canvases, notes in folders that are not indexed), for who keeps them
 * from one question to the next: only what changed is answered. Works synchronously, on the thread that looks at notes.
 * Danger: a canvas is anybody's JSON, and its cards are notes; what is in hand is parsed to its end.
 */
import { threadId } from 'node:worker_threads';
import { canvasTargets } from '@vault-mcp/shared/vault/note/canvas-targets';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import type { LinkTarget } from '@vault-mcp/shared/vault/note/resolve-link';
import { createNoteCache } from '@vault-mcp/shared/vault/note-cache';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { LeftOut } from '@vault-mcp/shared/vault/walk-notes';

/** A link as it stands in a file; line 0 in a canvas, which has none. */
export interface ReadLink extends LinkTarget {
  readonly line: number;
}

export interface LinksQuestion {
  readonly about: 'links';
  /** Each with the mark of the links that the asker has of it. */
  readonly files: readonly { readonly path: VaultPath; readonly mark?: string | undefined }[];
}

export interface LinksAnswer {
  /** The files whose links are others than those that the asker has. */
  readonly changed: readonly { readonly path: VaultPath; readonly mark: string; readonly links: readonly ReadLink[] }[];
  /** The files that are not there any more. */
  readonly gone: readonly VaultPath[];
}

/** Characters of links that are remembered, some 80 thousand links; files beyond are read each time. */
const MAX_WEIGHT = 8 * 1024 * 1024;
/** What a link weighs besides its target, and a file besides its links. */
const OWN_WEIGHT = 80;

export function createLinksReader(root: string) {
  const cache = createNoteCache<readonly ReadLink[]>(root, {
    derive: linksIn,
    weight: (links) => links.reduce((sum, { target }) => sum + target.length + OWN_WEIGHT, OWN_WEIGHT),
    maxWeight: MAX_WEIGHT,
  });
  const marks = new WeakMap<readonly ReadLink[], string>();
  let lastMark = 0;
  /** Another one in every thread, so that nobody takes the links of one for those of the next. */
  const markOf = (links: readonly ReadLink[]): string => {
    const mark = marks.get(links) ?? `${threadId}.${++lastMark}`;
    marks.set(links, mark);
    return mark;
  };
  return (
    { files }: LinksQuestion,
    maxBytes: number,
  ): { readonly answer: LinksAnswer; readonly leftOut: readonly LeftOut[] } => {
    const asked = new Map(files.map(({ path, mark }) => [path, mark]));
    const { notes, leftOut } = cache.lookAt([...asked.keys()], { maxBytes });
    const read = notes.map(({ path, derived: links }) => ({ path, mark: markOf(links), links }));
    const met = new Set<string>([...read, ...leftOut].map(({ path }) => path));
    const changed = read.filter(({ path, mark }) => asked.get(path) !== mark);
    return { answer: { changed, gone: [...asked.keys()].filter((path) => !met.has(path)) }, leftOut };
  };
}

function linksIn(text: string, path: VaultPath): readonly ReadLink[] {
  const isCanvas = path.toLowerCase().endsWith('.canvas');
  const links: readonly ReadLink[] = isCanvas
    ? canvasTargets(text)
    : parseNote(text).links.map(({ form, target, line }) => ({ form, target, line }));
  // A text cut out of a file keeps the whole file in memory for as long as it lives; a copy is only as long as it is.
  return structuredClone(links);
}
