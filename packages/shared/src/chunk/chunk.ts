/**
 * A parsed note (or a document's extracted text, parsed as one) to its chunks: what search finds, ranks and shows.
 * Pure, deterministic, linear in the text. Danger: text that no chunk holds cannot be found, so every line of the
 * body that is not blank is in one; and stored chunks are reused by CHUNKER_VERSION, which any change here must raise.
 */
import type { Chunk } from '../index-db/rows.ts';
import type { ParsedNote } from '../vault/note/model.ts';
import { isFlatList, splitByItem } from './flat-list.ts';
import type { ChunkOptions } from './options.ts';
import type { Piece } from './packer.ts';
import { CHUNK_RULES, type ChunkRules } from './rules.ts';
import { breadcrumbOf, type Group, groupSections, type Section, sectionsOf } from './sections.ts';
import { splitBlocks } from './split-oversize.ts';
import { createRuler } from './tokens.ts';

export type { ChunkOptions } from './options.ts';

/** Part of the chunk cache's key: raise it whenever the same text could chunk otherwise (embedded-text.ts included). */
export const CHUNKER_VERSION = 3;

/** What the chunk of a note without a body says. */
export interface NoteIdentity {
  readonly title: string;
  /**
   * Whether a text of white space only has that chunk too. True for notes: an empty one is found by its name. Default
   * false: a document without text is one that could not be read, and says so.
   */
  readonly titleChunk?: boolean;
  /**
   * Whether sections never join. True for documents, whose sections are pages: what is found there has to name the one
   * page it stands on. Default false.
   */
  readonly sectionsApart?: boolean;
}

/**
 * The note's chunks in order; texts have LF line ends, whatever the file has. Frontmatter is no text, but a note that
 * is nothing else has one chunk with its title and description, by which it can be found.
 *
 * @param options sizes must satisfy 1 ≤ target ≤ max and 0 ≤ overlap < target; where they do not they are brought there
 * @param rules default those in force
 */
export function chunkNote(
  note: ParsedNote,
  options: ChunkOptions & NoteIdentity,
  rules: ChunkRules = CHUNK_RULES,
): Chunk[] {
  const sizes = consistent(options);
  const ruler = createRuler(note.text);
  const flat = new Map<Section, boolean>();
  const sections = sectionsOf(note, rules.sectionDepth);
  for (const section of sections) flat.set(section, rules.listsByItem && isFlatList(section, note, ruler));
  const byItem = (section: Section | undefined): boolean => section !== undefined && flat.get(section) === true;
  const apart = options.sectionsApart === true;
  const groups = apart
    ? sections.map((section) => [section])
    : groupSections(sections, ruler, { minTokens: sizes.minTokens, rules, isFlatList: byItem });
  const context = { note, ruler, options: sizes, rules };
  const chunks: Chunk[] = [];
  for (const group of groups) {
    const blocks = group.flatMap((section) => section.blocks);
    const pieces = byItem(group.at(-1)) ? splitByItem(group, context) : splitBlocks(blocks, context);
    for (const piece of pieces) {
      const chunk = toChunk(piece, group, note, chunks.length);
      if (chunk !== null) chunks.push(chunk);
    }
  }
  if (chunks.length > 0) return chunks;
  return options.titleChunk === true || note.text.trim() !== '' ? [titleChunk(note, options.title)] : [];
}

/** Null for a piece of white space. */
function toChunk(piece: Piece, group: Group, note: ParsedNote, ordinal: number): Chunk | null {
  const { lines } = note;
  const source = note.text.slice(piece.overlapFrom, piece.to);
  const leading = /^(?:[^\S\n]*\n)*/.exec(source)?.[0].length ?? 0;
  const text = source.slice(leading).trimEnd();
  if (text === '') return null;
  const from = piece.overlapFrom + leading;
  const header = piece.header === undefined ? '' : `${note.text.slice(piece.header.from, piece.header.to).trim()}\n`;
  return {
    ordinal,
    breadcrumb: breadcrumbOf(group, piece.from, piece.to, note.text),
    lineStart: lines.lineAt(from),
    lineEnd: lines.lineAt(from + text.length - 1),
    text: (header + text).replaceAll('\r\n', '\n'),
  };
}

function titleChunk(note: ParsedNote, title: string): Chunk {
  const text = [title, note.description ?? ''].filter((part) => part !== '').join('\n');
  const lineEnd = note.lines.lineAt(Math.max(0, note.text.trimEnd().length - 1));
  return { ordinal: 0, breadcrumb: '', lineStart: 1, lineEnd, text };
}

function consistent(options: ChunkOptions): ChunkOptions {
  const maxTokens = Math.max(1, options.maxTokens);
  const targetTokens = Math.min(Math.max(1, options.targetTokens), maxTokens);
  const overlapTokens = Math.min(Math.max(0, options.overlapTokens), targetTokens - 1);
  return { targetTokens, overlapTokens, maxTokens, minTokens: Math.min(Math.max(0, options.minTokens), targetTokens) };
}
