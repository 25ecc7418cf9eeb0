/**
 * The index page's text from the index's rows: every note once, under headings that mirror the folders. The same notes
 * give the same text, in whatever order they come and whatever came before them. Danger: the text is compared with what stands on the disk, so
 * nothing may get into it that changes without a note changing.
 */
import { cutAtWord } from '@vault-mcp/shared/vault/note/describe';
import { escaped } from '@vault-mcp/shared/vault/note/escaped-text';
import { nameOf, pathKey } from '@vault-mcp/shared/vault/path';
import { encodedSegment, isVisible, oneLine } from './markdown-text.ts';

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

export interface CatalogRenderer {
  /** @param options.descriptions whether each note is described, not only named */
  render(content: CatalogContent, options: { readonly descriptions: boolean }): string;
}

/**
 * A renderer that keeps what it made of each note, until the next page goes without that note: of one edit among
 * thousands of notes one line is made. That takes about three times the page's length.
 */
export function createCatalogRenderer(): CatalogRenderer {
  let known: ReadonlyMap<string, Entry> = new Map();
  return {
    render(content, { descriptions }) {
      const entries = new Map<string, Entry>();
      const root = treeOf(content, (note, folder) => {
        const before = known.get(note.path);
        const entry = before !== undefined && isOf(before, note) ? before : entryOf(note, folder);
        entries.set(note.path, entry);
        return entry;
      });
      known = entries;
      const blocks = ['# Index', descriptions ? INTRODUCTION : `${INTRODUCTION} ${TOO_MANY}`];
      addFolder(blocks, root, descriptions);
      return `\n${blocks.join('\n\n')}\n`;
    },
  };
}

interface Entry {
  readonly note: CatalogNote;
  readonly isLanding: boolean;
  /** What it is put in order by. */
  readonly key: string;
  /** Its line, up to its description. */
  readonly link: string;
  /** The rest of that, empty when it has none. */
  readonly description: string;
}

function isOf({ note }: Entry, { title, description }: CatalogNote): boolean {
  return note.title === title && note.description === description;
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

function treeOf({ notes, leftOut }: CatalogContent, entryIn: (note: CatalogNote, folder: Folder) => Entry): Folder {
  const root = newFolder([], '');
  const known = new Map<string, Folder>();
  for (const note of notes) {
    const path = note.path.slice(0, note.path.lastIndexOf('/') + 1);
    const folder = known.get(path) ?? folderAt(root, path.split('/').slice(0, -1));
    known.set(path, folder);
    folder.notes.push(entryIn(note, folder));
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
  const title = [note.title, stem].map(oneLine).find(isVisible) ?? oneLine(name);
  // A person's own may be as long as frontmatter can be.
  const description = cutAtWord(oneLine(note.description));
  return {
    note,
    isLanding: pathKey(stem) === folder.key,
    key: pathKey(title),
    link: `- [${escaped(title)}](${folder.link}${encodedSegment(name)})`,
    description: description === '' ? '' : ` - ${escaped(description)}`,
  };
}

function addFolder(blocks: string[], folder: Folder, descriptions: boolean): void {
  if (folder.segments.length > 0) blocks.push(headingOf(folder.segments));
  const lines = [
    ...folder.notes.sort(byPlace).map(({ link, description }) => (descriptions ? link + description : link)),
    ...folder.leftOut
      .sort(byKey)
      .map((name) => `- Left out of the index, so not listed: ${escaped(oneLine(name) || encodedSegment(name))}/`),
  ];
  if (lines.length > 0) blocks.push(lines.join('\n'));
  const below = [...folder.folders.entries()].sort(([a, { key }], [b, to]) => compare(key, to.key) || compare(a, b));
  for (const [, next] of below) addFolder(blocks, next, descriptions);
}

/** A folder deeper than headings go stands at the deepest level, with its way from there. */
function headingOf(segments: readonly string[]): string {
  const level = Math.min(segments.length + 1, MAX_LEVEL);
  const way = segments.slice(level - 2).join('/');
  return `${'#'.repeat(level)} ${escaped(oneLine(way) || encodedSegment(way))}`;
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
