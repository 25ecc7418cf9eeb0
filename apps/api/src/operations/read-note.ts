/**
 * Read a note (whole or one section) or a document's extracted text. Danger: the content of a note is its file, byte
 * for byte; where that cannot be (a file that is not valid UTF-8) the answer says so, because nothing read that way
 * may be written back.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { SUPERSEDED_BY_KEY } from '@vault-mcp/shared/vault/note/superseded-by';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { type NoteFile, readLocatedNote } from '@vault-mcp/shared/vault/read';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { pageOf } from './document-pages.ts';
import { type DocumentText, readDocument, requireText } from './document-text.ts';
import { type DocumentWays, REST_WAYS } from './document-ways.ts';
import { type NoteParser, noteParser } from './note-parser.ts';
import type { NoteFrontmatter } from './note-parts.ts';
import { pageText } from './page.ts';
import { type ReportedStat, reportedStat } from './reported-stat.ts';
import { type SupersededBy, supersededBy } from './superseded-by.ts';

export const readNoteInput = z.strictObject({
  path: z.string().describe('The note or document.'),
  section: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Only one section: a heading target as the map gives it, or a block as ^id; of a document a page, as "Page 3". ' +
        'Includes the heading line.',
    ),
  offset: z.number().int().min(0).optional().describe('Where to start in the text, in characters: `next_offset`.'),
  max_chars: z.number().int().min(1).optional().describe('At most this many characters, ending at a line.'),
});

/** Where a page of a text stands in it; all null when the text was not paged. */
export interface Paging {
  readonly offset: number;
  readonly next_offset: number | null;
  readonly total_chars: number;
}

/** What can be answered without parsing the note, but for a section. */
export interface NoteContent extends Paging {
  readonly path: string;
  readonly kind: 'note';
  /** The file's text (or the section's, or a page of either). */
  readonly content: string;
  readonly stat: ReportedStat;
  readonly etag: string;
  /** The section asked for. */
  readonly section?: string;
  /** Only when true: the file is not valid UTF-8, so characters in the text stand for bytes that could not be read. */
  readonly lossy?: true;
  /** Only of a note that says it was superseded. */
  readonly superseded_by?: SupersededBy;
}

export interface NoteText extends NoteContent, NoteFrontmatter {
  /** The whole text without frontmatter; the same as `content` for a section or a page. */
  readonly body: string;
  readonly tags: readonly string[];
}

type ReadingContext = Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>;
type ReadNoteInput = z.infer<typeof readNoteInput>;
type PagedDocument = DocumentText & Paging & { readonly section?: string };

interface ReadingParts {
  readonly ways?: DocumentWays;
  readonly parser?: NoteParser;
}

/**
 * The text with everything known of it.
 * @param ways what else can be asked of a document where this is asked
 * @throws AppError not_found, invalid_path, is_directory, unsupported_suffix (an attachment), note_too_large,
 * no_such_heading, ambiguous_heading, no_such_block; for a page of a document without text not_ready, extraction_failed,
 * document_too_large
 */
export async function readNote(
  context: ReadingContext,
  input: ReadNoteInput,
  { ways = REST_WAYS, parser = noteParser }: ReadingParts = {},
): Promise<NoteText | PagedDocument> {
  const file = await openForReading(context, input, ways);
  if ('extraction' in file) return file;
  const { bodyFrom, section, ...parts } = await parser.ask(file, questionOf(input));
  const note = contentOf(file, section ?? file.text, input);
  const isWholeFile = section === undefined && note.content.length === note.total_chars;
  const superseded = await supersededBy(context, { path: file.path, frontmatter: parts.frontmatter });
  return { ...note, ...parts, ...superseded, body: isWholeFile ? file.text.slice(bodyFrom) : note.content };
}

/**
 * The text alone, for those who take nothing else: of a whole note at most its frontmatter is parsed.
 * @throws like readNote
 */
export async function readNoteContent(
  context: ReadingContext,
  input: ReadNoteInput,
  { ways = REST_WAYS, parser = noteParser }: ReadingParts = {},
): Promise<NoteContent | PagedDocument> {
  const file = await openForReading(context, input, ways);
  if ('extraction' in file) return file;
  const { section = file.text } = input.section === undefined ? {} : await parser.ask(file, questionOf(input));
  const note = contentOf(file, section, input);
  // Written out wherever it is a key, but for escapes within quotes, which nobody writes.
  if (!file.text.includes(SUPERSEDED_BY_KEY)) return note;
  const { data: frontmatter } = parseFrontmatter(file.text);
  return { ...note, ...(await supersededBy(context, { path: file.path, frontmatter })) };
}

function questionOf({ section }: ReadNoteInput) {
  return { about: 'parts' as const, ...(section === undefined ? {} : { section }) };
}

/** The note's file, or the document as it is answered. */
async function openForReading(
  context: ReadingContext,
  input: ReadNoteInput,
  ways: DocumentWays,
): Promise<NoteFile | PagedDocument> {
  const { vault, config } = context;
  const file = await vault.locate(parseVaultPath(input.path));
  switch (file.kind) {
    case 'folder':
      throw new AppError('is_directory', `"${file.path}" is a folder: list it, and read one of its notes.`);
    case 'attachment':
      throw new AppError(
        'unsupported_suffix',
        `"${file.path}" is an attachment without text; its bytes are served by GET /vault/<path>?raw.`,
      );
    case 'document': {
      const document = await readDocument(context, file);
      const { section } = input;
      if (section === undefined) return { ...document, ...paged(document.content, input) };
      requireText(context, document, ways);
      return { ...document, section, ...paged(pageOf(document, section), input) };
    }
    case 'note':
      return readLocatedNote(vault, file, { maxBytes: config.vault.note_max_bytes });
  }
}

/** @param text the file's whole text, or the section's */
function contentOf(file: NoteFile, text: string, input: ReadNoteInput): NoteContent {
  return {
    path: file.path,
    kind: 'note',
    ...paged(text, input),
    stat: reportedStat(file.stat),
    etag: file.sha256,
    ...(input.section === undefined ? {} : { section: input.section }),
    ...(file.validUtf8 ? {} : { lossy: true as const }),
  };
}

/** The page asked for; the whole text when none was. */
function paged(text: string, input: ReadNoteInput): Paging & { content: string } {
  const { text: content, ...paging } = pageText(text, input.offset ?? 0, input.max_chars ?? Number.MAX_SAFE_INTEGER);
  return { content, ...paging };
}
