/**
 * `PUT`, `POST` and `DELETE /vault/…`: a note or document put whole, text added to a note, a file removed. Danger: everything that
 * a request says is read and checked before the operation is called, which then does all of it or nothing.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { WriteContext } from '../../context.ts';
import { appendToNote, appendToNoteInput } from '../../operations/append-to-note.ts';
import { deleteEntry, deleteEntryInput } from '../../operations/delete-entry.ts';
import { fileDocument, fileDocumentInput, pathBehindSize } from '../../operations/file-document.ts';
import { parseInput } from '../../operations/input.ts';
import { refuseDocument } from '../../operations/refuse-document.ts';
import { writeNote, writeNoteInput } from '../../operations/write-note.ts';
import { callOf } from '../audited.ts';
import { readDocumentBody } from '../document-body.ts';
import type { HttpContext } from '../env.ts';
import { conditionsOf } from '../if-match.ts';
import { readNoteText } from '../note-body.ts';
import { refusePatchHeaders } from '../patch-headers.ts';
import { NUMBER, readQuery } from '../query.ts';
import { rawPathBehind } from '../raw-path.ts';
import { sendWritten } from '../write-answer.ts';
import { OUTCOME_QUERY } from '../write-options.ts';
import { writeRequest } from '../write-request.ts';
import { writtenFile, writtenKind } from '../written-path.ts';

export async function putPath(c: HttpContext, context: WriteContext): Promise<Response> {
  const kind = writtenKind(c, context.vault.docSuffixes);
  // Whatever is neither note nor folder is refused or filed as a document is.
  if (kind === 'document' || kind === 'attachment') return putDocument(c, context);
  const path = writtenFile(c);
  const query = readQuery(c, OUTCOME_QUERY);
  const { request, conditions } = headersOf(c, { mayCreate: true });
  const content = await readNoteText(c, context.config.vault.note_max_bytes);
  const input = parseInput(writeNoteInput, { path, content, overwrite: true, ...conditions, ...query });
  return sendWritten(c, await writeNote(context, callOf(c, 'write-note', input), request));
}

async function putDocument(c: HttpContext, context: WriteContext): Promise<Response> {
  const { wait, ...query } = readQuery(c, { overwrite: 'flag', ...OUTCOME_QUERY });
  const { request, conditions } = headersOf(c, { mayCreate: true });
  const waiting = wait === undefined ? {} : { wait: secondsOr(wait) };
  const upload = readDocumentBody(c);
  const path = await pathBehindSize(context, rawPathBehind(c, '/vault'), upload, () => writtenFile(c));
  const input = parseInput(fileDocumentInput, { path, ...conditions, ...query, ...waiting });
  callOf(c, 'file-document', input);
  return sendWritten(c, await fileDocument(context, input, request, upload));
}

/** `?wait` takes seconds here, as a number is written in JSON; anything else is left to the operation. */
function secondsOr(wait: string): string | number {
  return NUMBER.test(wait) ? Number(wait) : wait;
}

export async function appendToPath(c: HttpContext, context: WriteContext): Promise<Response> {
  const query = readQuery(c, OUTCOME_QUERY);
  const path = writtenFile(c);
  const { request, conditions } = headersOf(c);
  await refuseDocument(context, path, request);
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
