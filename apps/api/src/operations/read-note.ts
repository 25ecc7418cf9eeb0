/**
 * Read a note (whole or one section) or a document's extracted text. Danger: the content of a note is its file, byte
 * for byte; where that cannot be (a file that is not valid UTF-8) the answer says so, because nothing read that way
 * may be written back.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import { sectionText } from '@vault-mcp/shared/vault/note/sections';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { readNoteFile } from '@vault-mcp/shared/vault/read';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { type DocumentText, readDocument } from './document-text.ts';
import { pageText } from './page.ts';
import { type ReportedStat, reportedStat } from './reported-stat.ts';

export const readNoteInput = z.strictObject({
  path: z.string().describe('The note or document.'),
  section: z
    .string()
    .min(1)
    .optional()
    .describe('Only one section: a heading target as the map gives it, or a block as ^id. Includes the heading line.'),
  offset: z.number().int().min(0).optional().describe('Where to start in the text, in characters: `next_offset`.'),
  max_chars: z.number().int().min(1).optional().describe('At most this many characters, ending at a line.'),
});

/** Where a page of a text stands in it; all null when the text was not paged. */
export interface Paging {
  readonly offset: number;
  readonly next_offset: number | null;
  readonly total_chars: number;
}

export interface NoteText extends Paging {
  readonly path: string;
  readonly kind: 'note';
  /** The file's text (or the section's, or a page of either). */
  readonly content: string;
  /** The whole text without frontmatter; the same as `content` for a section or a page. */
  readonly body: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly frontmatter_error?: string;
  readonly tags: readonly string[];
  readonly stat: ReportedStat;
  readonly etag: string;
  /** The section asked for. */
  readonly section?: string;
  /** Only when true: the file is not valid UTF-8, so characters in the text stand for bytes that could not be read. */
  readonly lossy?: true;
}

/**
 * @throws AppError not_found, invalid_path, is_directory, unsupported_suffix (an attachment), note_too_large,
 * no_such_heading, ambiguous_heading, no_such_block, is_document (a section of a document)
 */
export async function readNote(
  context: Pick<OperationContext, 'vault' | 'reader' | 'config'>,
  input: z.infer<typeof readNoteInput>,
): Promise<NoteText | (DocumentText & Paging)> {
  const file = await context.vault.locate(parseVaultPath(input.path));
  switch (file.kind) {
    case 'folder':
      throw new AppError('is_directory', `"${file.path}" is a folder: list it, and read one of its notes.`);
    case 'attachment':
      throw new AppError(
        'unsupported_suffix',
        `"${file.path}" is an attachment without text; its bytes are served by GET /vault/<path>?raw.`,
      );
    case 'document': {
      if (input.section !== undefined) {
        throw new AppError('is_document', `"${file.path}" is a document and has no sections: read it without one.`);
      }
      const document = await readDocument(context, file);
      return { ...document, ...paged(document.content, input) };
    }
    case 'note':
      return readMarkdown(context, file.path, input);
  }
}

async function readMarkdown(
  { vault, config }: Pick<OperationContext, 'vault' | 'config'>,
  path: ReturnType<typeof parseVaultPath>,
  input: z.infer<typeof readNoteInput>,
): Promise<NoteText> {
  const file = await readNoteFile(vault, path, { maxBytes: config.vault.note_max_bytes });
  const note = parseNote(file.text);
  const { frontmatter, tags } = note;
  const whole = input.section === undefined ? file.text : sectionText(note, input.section);
  const page = paged(whole, input);
  const isWholeFile = input.section === undefined && page.content.length === page.total_chars;
  return {
    path: file.path,
    kind: 'note',
    ...page,
    body: isWholeFile ? file.text.slice(note.bodyFrom) : page.content,
    frontmatter: frontmatter.data,
    ...(frontmatter.error === undefined ? {} : { frontmatter_error: frontmatter.error }),
    tags,
    stat: reportedStat(file.stat),
    etag: file.sha256,
    ...(input.section === undefined ? {} : { section: input.section }),
    ...(file.validUtf8 ? {} : { lossy: true as const }),
  };
}

/** The page asked for; the whole text when none was. */
function paged(text: string, input: z.infer<typeof readNoteInput>): Paging & { content: string } {
  const { text: content, ...paging } = pageText(text, input.offset ?? 0, input.max_chars ?? Number.MAX_SAFE_INTEGER);
  return { content, ...paging };
}
