/**
 * `PUT`, `POST` and `DELETE /vault/…`: a whole note written, text added to one, a file removed. Danger: everything that
 * a request says is read and checked before the operation is called, which then does all of it or nothing.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { fileKindOf, shown } from '@vault-mcp/shared/vault/path';
import type { WriteContext } from '../../context.ts';
import { appendToNote, appendToNoteInput } from '../../operations/append-to-note.ts';
import { deleteEntry, deleteEntryInput } from '../../operations/delete-entry.ts';
import { parseInput } from '../../operations/input.ts';
import { writeNote, writeNoteInput } from '../../operations/write-note.ts';
import { callOf } from '../audited.ts';
import type { HttpContext } from '../env.ts';
import { conditionsOf } from '../if-match.ts';
import { readNoteText } from '../note-body.ts';
import { refusePatchHeaders } from '../patch-headers.ts';
import { readQuery } from '../query.ts';
import { sendWritten } from '../write-answer.ts';
import { OUTCOME_QUERY } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';
import { writtenFile } from '../written-path.ts';

export async function putPath(c: HttpContext, context: WriteContext): Promise<Response> {
  const query = readQuery(c, OUTCOME_QUERY);
  const path = writtenFile(c);
  const { request, conditions } = headersOf(c, { mayCreate: true });
  const { note_max_bytes: maxBytes } = context.config.vault;
  // What is no note is refused whatever it holds; a body that may be huge is not read for that.
  const isNote = fileKindOf(path, context.vault.docSuffixes) === 'note';
  const content = isNote ? await readNoteText(c, maxBytes) : '';
  const input = parseInput(writeNoteInput, { path, content, overwrite: true, ...conditions, ...query });
  try {
    return sendWritten(c, await writeNote(context, callOf(c, 'write-note', input), request));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'is_document') throw error;
    const message = `"${shown(path)}" is a document, and those cannot be filed by this call yet: put it into the vault's folder.`;
    throw new AppError('unsupported_suffix', message, { cause: error });
  }
}

export async function appendToPath(c: HttpContext, context: WriteContext): Promise<Response> {
  const query = readQuery(c, OUTCOME_QUERY);
  const path = writtenFile(c);
  const { request, conditions } = headersOf(c);
  const content = await readNoteText(c, context.config.vault.note_max_bytes);
  const input = parseInput(appendToNoteInput, { path, content, create_if_missing: true, ...conditions, ...query });
  return sendWritten(c, await appendToNote(context, callOf(c, 'append-to-note', input), request));
}

export async function deletePath(c: HttpContext, context: WriteContext): Promise<Response> {
  const query = readQuery(c, { permanent: 'flag', ...OUTCOME_QUERY });
  const path = writtenFile(c);
  const { request, conditions } = headersOf(c);
  const input = callOf(c, 'delete-entry', parseInput(deleteEntryInput, { path, ...conditions, ...query }));
  try {
    return sendWritten(c, await deleteEntry(context, input, request));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'is_directory') throw error;
    const message = `${error.message} Send DELETE /folder/<path> to remove a folder.`;
    throw new AppError('is_directory', message, { cause: error });
  }
}

function headersOf(c: HttpContext, options: Parameters<typeof conditionsOf>[1] = {}) {
  const header = (name: string) => c.req.header(name);
  refusePatchHeaders(header);
  return { request: writeRequest(c), conditions: conditionsOf(header, options) };
}
