/**
 * The links of one file as it is now: the index's rows where they fit its stat, else read from it. Danger: a file is
 * somebody's and of any size; what cannot be read for being too long or broken is an error, never a file without links.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { LinkTarget } from '@vault-mcp/shared/vault/note/resolve-link';
import { decodeNote, sha256Hex } from '@vault-mcp/shared/vault/note/text';
import { readFileBytes, readNoteFile } from '@vault-mcp/shared/vault/read';
import type { Located } from '@vault-mcp/shared/vault/vault';
import type { OperationContext } from '../context.ts';
import type { WrittenLink } from '../links/found-link.ts';
import { statKey } from './etag.ts';
import { indexedFile } from './indexed-file.ts';
import { noteParser } from './note-parser.ts';

/**
 * @returns in the order in which they stand there; none of a document or an attachment but a canvas
 * @throws AppError note_too_large, document_too_large (a canvas), unreadable, not_found (gone meanwhile)
 */
export async function linksInFile(
  {
    vault,
    reader,
    config,
  }: Pick<OperationContext, 'vault' | 'config'> & {
    readonly reader: Pick<IndexReader, 'fileByPath' | 'linksOf'>;
  },
  { path, kind, stat }: Located,
): Promise<readonly WrittenLink[]> {
  const maxBytes = config.vault.note_max_bytes;
  if (kind !== 'note') {
    if (!path.toLowerCase().endsWith('.canvas')) return [];
    const { bytes } = await readFileBytes(vault, path, { maxBytes });
    const canvas = { text: decodeNote(bytes).text, sha256: sha256Hex(bytes) };
    return (await noteParser.ask(canvas, { about: 'canvas-links' })).links;
  }
  const row = indexedFile(reader, path);
  if (row && row.state !== 'quarantined' && statKey(row.stat) === statKey(stat)) {
    const links = reader.linksOf(row);
    if (links !== undefined) return links.map(({ form, ...link }) => ({ ...link, form: form as LinkTarget['form'] }));
  }
  return (await noteParser.ask(await readNoteFile(vault, path, { maxBytes }), { about: 'links' })).links;
}
