/**
 * The index page's text from the index's rows: every note once, under headings that mirror the folders. Pure: the same
 * notes give the same text, in whatever order they come. Danger: the text is compared with what stands on the disk, so
 * nothing may get into it that changes without a note changing.
 */
import { nameOf, pathKey } from '@vault-mcp/shared/vault/path';
import { encodedSegment, escaped, oneLine } from './markdown-text.ts';

export interface CatalogNote {
  readonly path: string;
  readonly title: string;
  /** Empty when it has none. */
  readonly description: string;
}

export interface CatalogContent {
  readonly notes: readonly CatalogNote[];
  /** Folders whose notes the index leaves out, as they are spelt on the disk. */
  readonly leftOut: readonly string[];
}

/** Markdown has no deeper heading. */
const MAX_LEVEL = 6;

const INTRODUCTION =
  'Every note of this vault by folder, with what it says of itself. This page is generated: change the notes, and it follows.';
const TOO_MANY = 'There are too many of them to describe each.';

/** @param options.descriptions whether each note is described, not only named */
export function renderCatalog(content: CatalogContent, options: { readonly descriptions: boolean }): string {
  const root = treeOf(content);
  const blocks = ['# Index', options.descriptions ? INTRODUCTION : `${INTRODUCTION} ${TOO_MANY}`];
  addFolder(blocks, root, options.descriptions);
  return `\n${blocks.join('\n\n')}\n`;
}

interface Entry {
  readonly note: CatalogNote;
  readonly title: string;
  readonly isLanding: boolean;
  readonly key: string;
}

interface Folder {
  /** Of its path; none of the root. */
  readonly segments: readonly string[];
  readonly key: string;
  /** What links to its notes begin with. */
  readonly link: string;
  readonly notes: Entry[];
  /** Names of folders in it that are left out. */
  readonly leftOut: string[];
  readonly folders: Map<string, Folder>;
}

function treeOf({ notes, leftOut }: CatalogContent): Folder {
  const root = newFolder([], '');
  const known = new Map<string, Folder>();
  for (const note of notes) {
    const path = note.path.slice(0, note.path.lastIndexOf('/') + 1);
    const folder = known.get(path) ?? folderAt(root, path.split('/').slice(0, -1));
    known.set(path, folder);
    folder.notes.push(entryOf(note, folder));
  }
  for (const path of leftOut) folderAt(root, path.split('/').slice(0, -1)).leftOut.push(nameOf(path));
  return root;
}

function newFolder(segments: readonly string[], link: string): Folder {
  return { segments, key: pathKey(segments.at(-1) ?? ''), link, notes: [], leftOut: [], folders: new Map() };
}

function folderAt(root: Folder, segments: readonly string[]): Folder {
  let folder = root;
  segments.forEach((name, at) => {
    let below = folder.folders.get(name);
    if (below === undefined) {
      below = newFolder(segments.slice(0, at + 1), `${folder.link}${encodedSegment(name)}/`);
      folder.folders.set(name, below);
    }
    folder = below;
  });
  return folder;
}

function entryOf(note: CatalogNote, folder: Folder): Entry {
  const name = nameOf(note.path);
  const stem = name.slice(0, -'.md'.length);
  const title = oneLine(note.title) || oneLine(stem) || oneLine(name);
  return { note, title, isLanding: pathKey(stem) === folder.key, key: pathKey(title) };
}

function addFolder(blocks: string[], folder: Folder, descriptions: boolean): void {
  if (folder.segments.length > 0) blocks.push(headingOf(folder.segments));
  const lines = [
    ...folder.notes.sort(byPlace).map((entry) => lineOf(entry, folder, descriptions)),
    ...folder.leftOut
      .sort(byKey)
      .map((name) => `- Left out of the index, so not listed: ${escaped(oneLine(name) || encodedSegment(name))}/`),
  ];
  if (lines.length > 0) blocks.push(lines.join('\n'));
  const below = [...folder.folders.entries()].sort(([a], [b]) => byKey(a, b));
  for (const [, next] of below) addFolder(blocks, next, descriptions);
}

/** A folder deeper than headings go stands at the deepest level, with its way from there. */
function headingOf(segments: readonly string[]): string {
  const level = Math.min(segments.length + 1, MAX_LEVEL);
  const way = segments.slice(level - 2).join('/');
  return `${'#'.repeat(level)} ${escaped(oneLine(way) || encodedSegment(way))}`;
}

function lineOf({ note, title }: Entry, folder: Folder, descriptions: boolean): string {
  const link = `- [${escaped(title)}](${folder.link}${encodedSegment(nameOf(note.path))})`;
  const description = descriptions ? oneLine(note.description) : '';
  return description === '' ? link : `${link} - ${escaped(description)}`;
}

function byPlace(a: Entry, b: Entry): number {
  if (a.isLanding !== b.isLanding) return a.isLanding ? -1 : 1;
  return compare(a.key, b.key) || byKey(a.note.path, b.note.path);
}

/** Names that are equal but for their case have an order, too. */
function byKey(a: string, b: string): number {
  return compare(pathKey(a), pathKey(b)) || compare(a, b);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
