/**
 * Reads a note's text from a request, and the body of a PATCH, which may be a note's text or JSON about it. Danger: what
 * comes in becomes somebody's note byte for byte, so nothing is guessed, converted or cut; a body that is not plainly
 * UTF-8 text is refused, and nothing of it is kept.
 */
import { constants } from 'node:buffer';
import { AppError } from '@vault-mcp/shared/errors';
import { bodyTooLong } from './body.ts';
import { decodeUtf8, mediaType, readBytes, requirePlainUtf8 } from './body-bytes.ts';
import type { HttpContext } from './env.ts';

/** What a client may call a note's text; empty: it said nothing. The form type is what curl says of any body by itself. */
const TEXT_TYPES: readonly string[] = [
  ...['text/markdown', 'text/plain', 'text/x-markdown', 'application/octet-stream'],
  ...['application/x-www-form-urlencoded', ''],
];
/** The second is the Obsidian plugin's own name for a patch as JSON. */
const JSON_TYPES: readonly string[] = ['application/json', 'application/vnd.olrapi.patch-instruction+json'];

/** Room around a note's text in JSON, which also escapes it. */
const JSON_OVERHEAD_BYTES = 64 * 1024;

export interface PatchBody {
  readonly type: 'text' | 'json';
  readonly text: string;
}

/**
 * @param maxBytes largest note, in bytes; 0 = no limit
 * @throws AppError `invalid_request` for another content type, charset or encoding, or bytes that are not UTF-8;
 * `note_too_large`
 */
export function readNoteText(c: HttpContext, maxBytes: number): Promise<string> {
  const type = mediaType(c);
  if (JSON_TYPES.includes(type)) {
    throw new AppError(
      'invalid_request',
      'The body of this call is the text itself, not JSON: send it as it is, with "Content-Type: text/markdown".',
    );
  }
  return readText(c, maxBytes);
}

/** @throws like readNoteText; `invalid_request` for JSON that is too long */
export async function readPatchBody(c: HttpContext, maxBytes: number): Promise<PatchBody> {
  if (!JSON_TYPES.includes(mediaType(c))) return { type: 'text', text: await readText(c, maxBytes) };
  requirePlainUtf8(c);
  const limit = maxBytes > 0 ? maxBytes * 2 + JSON_OVERHEAD_BYTES : constants.MAX_STRING_LENGTH;
  return { type: 'json', text: decodeUtf8(await readBytes(c, limit, () => bodyTooLong(limit))) };
}

async function readText(c: HttpContext, maxBytes: number): Promise<string> {
  const type = mediaType(c);
  if (!TEXT_TYPES.includes(type)) {
    const known = 'text/markdown, text/plain or application/octet-stream';
    throw new AppError('invalid_request', `Send the text of a note with the content type ${known}, or with none.`);
  }
  requirePlainUtf8(c);
  const limit = maxBytes > 0 ? maxBytes : constants.MAX_STRING_LENGTH;
  return decodeUtf8(await readBytes(c, limit, () => noteTooLarge(limit)));
}

function noteTooLarge(limit: number): AppError {
  const message = `The text has more than ${limit} bytes: split the note, or raise vault.note_max_bytes. Nothing was changed.`;
  return new AppError('note_too_large', message);
}
