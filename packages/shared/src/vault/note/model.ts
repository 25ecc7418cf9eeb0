/**
 * The shapes a parsed note is read through. Pure types: offsets are UTF-16 indices into the note's whole text as
 * decoded (a leading BOM kept as U+FEFF, so that text and bytes map one to one), lines are 1-based in the file.
 */
import type { Tree } from '@lezer/common';

/** Half-open range `[from, to)` of UTF-16 offsets into the note's text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export interface Heading {
  /** 1 to 6. */
  readonly depth: number;
  /** The heading's visible text: markers and closing hashes stripped, inline markup kept. */
  readonly text: string;
  /** Texts from the outermost ancestor down to this heading. */
  readonly path: readonly string[];
  /** Ready-to-paste target: the shortest text `resolveHeading` resolves to this heading, with `[n]` for true duplicates. */
  readonly target: string;
  /** 1-based line of the heading's first character. */
  readonly line: number;
  /** The heading's own line(s), without the line break that ends it. */
  readonly marker: TextRange;
  /** From the heading to the next of the same or shallower depth (or the end of the note): subsections included. */
  readonly section: TextRange;
}

/** One top-level key of the block with the lines it owns: what a metadata edit replaces or removes. */
export interface FrontmatterEntry {
  readonly key: string;
  /** The key's whole lines, line breaks included; comments and blank lines after the value belong to nobody. */
  readonly range: TextRange;
  /** 1-based first and last line in the file. */
  readonly lineStart: number;
  readonly lineEnd: number;
}

export interface Frontmatter {
  /** Whether a block is there at all, parseable or not. */
  readonly present: boolean;
  /** The parsed mapping; `{}` when absent or unusable. Created without prototype keys. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Why the block could not be used; absent when it could. */
  readonly error?: string;
  /** The block with both fences and the line break after the closing one; empty range at the start when absent. */
  readonly range: TextRange;
  /** The YAML between the fences, its last line break included; empty range when absent. */
  readonly inner: TextRange;
  /** Top-level keys in order of appearance; empty when the block is absent or unusable. */
  readonly entries: readonly FrontmatterEntry[];
}

export type LinkForm = 'wikilink' | 'markdown' | 'reference' | 'autolink';

export interface Link {
  readonly form: LinkForm;
  /** True for `![[…]]` and `![…](…)`. */
  readonly embed: boolean;
  /** Target as written, without fragment, alias, title, angle brackets; percent-decoded for markdown forms only. */
  readonly target: string;
  /** Heading path after `#` (without `^`), if any. */
  readonly heading?: string;
  /** Block id after `#^`, if any. */
  readonly block?: string;
  /** Alias or link text, if any. */
  readonly alias?: string;
  /** 1-based line of the link's first character. */
  readonly line: number;
  /** The whole link. */
  readonly range: TextRange;
  /** The target as written inside it (where a rewrite would go). */
  readonly targetRange: TextRange;
  /** True when it stands in a frontmatter string. */
  readonly inFrontmatter: boolean;
}

/** A `^id` at the end of a block: the block it names and where the id stands. */
export interface BlockId {
  readonly id: string;
  /** 1-based line of the block's first character. */
  readonly line: number;
  /** The block named: innermost list item, else the outermost block. Holds `idRange` unless the id stands alone after it. */
  readonly range: TextRange;
  /** The `^id` itself. */
  readonly idRange: TextRange;
}

/** Where each line of a text starts, so that an offset becomes a line in logarithmic time. */
export interface LineIndex {
  /** Number of lines: one more than the number of line feeds. */
  readonly count: number;
  /** 1-based line of an offset. */
  lineAt(offset: number): number;
  /** Offset of a 1-based line's first character; the text's length when there is no such line. */
  startOf(line: number): number;
}

/** A note's parts and where they stand: all that an edit needs. */
export interface NoteStructure {
  readonly text: string;
  readonly lines: LineIndex;
  readonly frontmatter: Frontmatter;
  /** Offset where the body starts: after the frontmatter block, or after a BOM, or 0. */
  readonly bodyFrom: number;
  /** Block structure of the body (node names in markdown.ts); offsets are relative to `bodyFrom`; no inline nodes. */
  readonly tree: Tree;
  readonly headings: readonly Heading[];
  readonly blocks: readonly BlockId[];
  /**
   * Up to where headings and blocks are told apart: the text's length but for a note of too many. What is known of it is
   * not all then, and a section or block may end further on than it seems to.
   */
  readonly structuredTo: number;
}

export interface ParsedNote extends NoteStructure {
  readonly links: readonly Link[];
  /** From frontmatter and text, without `#`, nested kept (`project/house`), unique, in order of appearance. */
  readonly tags: readonly string[];
  /** Frontmatter title, else first H1, else undefined (the caller falls back to the file's stem). */
  readonly title?: string;
  /** Frontmatter description, else the first sentence of the first prose line (at most 240 characters, cut at a word). */
  readonly description?: string;
}
