/**
 * What a note is made of: frontmatter and headings with targets that paste back into a read or a patch; for a document
 * what is known of its extraction. Danger: a target that does not resolve to its own heading sends an edit elsewhere,
 * so targets come from the note model alone.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import { readNoteFile } from '@vault-mcp/shared/vault/read';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { type DocumentFacts, readDocument } from './document-text.ts';
import { type NoteParser, noteParser } from './note-parser.ts';
import type { NoteOutline } from './note-parts.ts';
import { type SupersededBy, supersededBy } from './superseded-by.ts';

export const mapNoteInput = z.strictObject({
  path: z.string().describe('The note or document.'),
});

export interface NoteMap extends NoteOutline {
  readonly path: string;
  readonly kind: 'note';
  readonly etag: string;
  /** Only of a note that says it was superseded. */
  readonly superseded_by?: SupersededBy;
}

/** @throws AppError not_found, invalid_path, is_directory, unsupported_suffix (an attachment), note_too_large */
export async function mapNote(
  context: Pick<OperationContext, 'vault' | 'reader' | 'config' | 'log'>,
  input: z.infer<typeof mapNoteInput>,
  parser: NoteParser = noteParser,
): Promise<NoteMap | DocumentFacts> {
  const located = await context.vault.locate(parseVaultPath(input.path));
  if (located.kind === 'folder') {
    throw new AppError('is_directory', `"${located.path}" is a folder: list it, and map one of its notes.`);
  }
  if (located.kind === 'attachment') {
    throw new AppError('unsupported_suffix', `"${located.path}" is an attachment: it has neither headings nor text.`);
  }
  if (located.kind === 'document') {
    const { content: _content, ...facts } = await readDocument(context, located);
    return facts;
  }
  const file = await readNoteFile(context.vault, located.path, { maxBytes: context.config.vault.note_max_bytes });
  const outline = await parser.ask(file, { about: 'outline' });
  const superseded = await supersededBy(context, { path: file.path, frontmatter: outline.frontmatter });
  return { path: file.path, kind: 'note', ...outline, ...superseded, etag: file.sha256 };
}
