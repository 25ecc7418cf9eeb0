/**
 * `GET /vault/…`: what stands at a path, as text, as JSON or as bytes. Danger: the path is taken from the request as it
 * was sent and decoded once by the shared decoder; nothing the router made of it is used.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { decodeRequestPath } from '@vault-mcp/shared/vault/path';
import type { OperationContext } from '../../context.ts';
import { requireText } from '../../operations/document-text.ts';
import { parseInput } from '../../operations/input.ts';
import { listFolder, listFolderInput } from '../../operations/list-folder.ts';
import { mapNote } from '../../operations/map-note.ts';
import { readNote, readNoteContent, readNoteInput } from '../../operations/read-note.ts';
import { listingText } from '../../rendering/listing-text.ts';
import { mapText } from '../../rendering/map-text.ts';
import { callOf } from '../audited.ts';
import type { HttpContext } from '../env.ts';
import { headerValue } from '../header-text.ts';
import { matchesEtag, wantsJson } from '../negotiation.ts';
import { type Query, readQuery } from '../query.ts';
import { sendRaw } from '../raw-file.ts';
import { rawPathBehind } from '../raw-path.ts';

const QUERY = { section: 'text', map: 'flag', raw: 'flag', recursive: 'flag' } as const;

const MARKDOWN = 'text/markdown; charset=utf-8';

export async function readPath(c: HttpContext, context: OperationContext): Promise<Response> {
  const query = readQuery(c, QUERY);
  refuseContradictions(query);
  const raw = rawPathBehind(c, '/vault');
  const asFolder = raw === '' || raw.endsWith('/');
  const path = raw === '' ? '' : decodeRequestPath(asFolder ? raw.slice(0, -1) : raw);
  if (asFolder || query.recursive) return sendListing(c, context, path, query.recursive ?? false);
  if (query.raw) return sendRaw(c, context, path);
  if (query.map) return sendMap(c, context, path);
  return sendText(c, context, path, query.section);
}

function refuseContradictions(query: Query<typeof QUERY>): void {
  const given = [query.section !== undefined && 'section', query.map && 'map', query.raw && 'raw'].filter(Boolean);
  if (query.recursive && given.length > 0) given.push('recursive');
  if (given.length < 2) return;
  throw new AppError('invalid_request', `Ask for one of ${given.join(', ')} at a time: they exclude each other.`);
}

async function sendListing(c: HttpContext, context: OperationContext, path: string, recursive: boolean) {
  const listing = await listFolder(context, callOf(c, 'list-folder', parseInput(listFolderInput, { path, recursive })));
  return wantsJson(c) ? c.json(listing) : c.text(listingText(listing));
}

async function sendMap(c: HttpContext, context: OperationContext, path: string) {
  const map = await mapNote(context, callOf(c, 'map-note', { path }));
  c.header('ETag', `"${map.etag}"`);
  if (isUnchanged(map) && matchesEtag(c.req.header('if-none-match'), map.etag)) return c.body(null, 304);
  return wantsJson(c) ? c.json(map) : c.text(mapText(map).text);
}

/** What kind of thing stands there decides: a folder is listed, an attachment has only bytes. */
async function sendText(c: HttpContext, context: OperationContext, path: string, section: string | undefined) {
  const input = callOf(c, 'read-note', parseInput(readNoteInput, section === undefined ? { path } : { path, section }));
  try {
    if (wantsJson(c)) return sendNote(c, await readNote(context, input));
    const note = await readNoteContent(context, input);
    if (note.kind === 'document') requireText(context, note);
    return sendNote(c, note);
  } catch (error) {
    if (!(error instanceof AppError) || section !== undefined) throw error;
    if (error.code === 'is_directory') return sendListing(c, context, path, false);
    if (error.code === 'unsupported_suffix') return sendRaw(c, context, path);
    throw error;
  }
}

/**
 * Whether the same etag means the same answer. A document's is its bytes', while its text may still be on its way; and what
 * stands for a superseded note changes while that stays the same.
 */
function isUnchanged(answer: { readonly kind: string; readonly superseded_by?: unknown }): boolean {
  return answer.kind === 'note' && answer.superseded_by === undefined;
}

function sendNote(c: HttpContext, note: Awaited<ReturnType<typeof readNote | typeof readNoteContent>>): Response {
  c.header('ETag', `"${note.etag}"`);
  if (isUnchanged(note) && matchesEtag(c.req.header('if-none-match'), note.etag)) return c.body(null, 304);
  if (wantsJson(c)) {
    // REST answers whole texts, so where a page stands in one says nothing.
    const { offset: _offset, next_offset: _next, total_chars: _total, ...whole } = note;
    return c.json(whole);
  }
  if (note.kind === 'document') {
    c.header('X-Vault-Extraction', note.extraction);
    if (note.detail !== undefined) c.header('X-Vault-Detail', headerValue(note.detail));
    return c.text(note.content);
  }
  if (note.lossy) c.header('X-Vault-Lossy', 'true');
  const { superseded_by: superseded } = note;
  if (superseded) c.header('X-Vault-Superseded-By', headerValue(superseded.head ?? `(${superseded.problem})`));
  return c.body(note.content, 200, { 'Content-Type': MARKDOWN });
}
