/**
 * Sends a file's own bytes, whole or a range of them. Danger: an attachment may be a page or a script somebody put
 * into the vault: it is sent with its type, never sniffed, sandboxed, and as a download unless it cannot run.
 */
import type { Readable } from 'node:stream';
import { AppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import type { OperationContext } from '../context.ts';
import { type RawFile, readRaw } from '../operations/read-raw.ts';
import { callOf } from './audited.ts';
import type { HttpContext } from './env.ts';
import { matchesEtag } from './negotiation.ts';

/** Types a browser shows without running anything of them. SVG is an image that can hold scripts, so not it. */
const SHOWN_INLINE = /^(image\/(?!svg)|audio\/|video\/|application\/pdf$|text\/plain(;|$)|text\/markdown(;|$))/;

export async function sendRaw(c: HttpContext, context: OperationContext, path: string): Promise<Response> {
  callOf(c, 'read-raw', { path });
  const file = await locateBytes(c, context, path);
  if (matchesEtag(c.req.header('if-none-match'), file.etag)) return c.body(null, 304, { ETag: `"${file.etag}"` });
  // Opened before any header is set: an error answer must not carry the file's length.
  const body = c.req.method === 'HEAD' ? null : streamOf(await file.open(), file.length, c.get('log'));
  return c.newResponse(body, file.range ? 206 : 200, headersOf(file));
}

function headersOf(file: RawFile): Record<string, string> {
  return {
    ETag: `"${file.etag}"`,
    'Content-Type': file.content_type,
    'Content-Length': String(file.length),
    'Content-Disposition': disposition(file),
    'Accept-Ranges': 'bytes',
    'Last-Modified': file.modified.toUTCString(),
    ...(file.range ? { 'Content-Range': `bytes ${file.range.start}-${file.range.end}/${file.size}` } : {}),
  };
}

async function locateBytes(c: HttpContext, context: OperationContext, path: string): Promise<RawFile> {
  const range = c.req.header('range');
  const { signal } = c.req.raw;
  if (range === undefined) return readRaw(context, { path, signal });
  const condition = c.req.header('if-range');
  if (condition !== undefined) {
    const whole = await readRaw(context, { path, signal });
    // Only our own strong tag proves that the part held is of these bytes; a date does not.
    if (condition.trim() !== `"${whole.etag}"`) return whole;
  }
  try {
    return await readRaw(context, { path, range, signal });
  } catch (error) {
    if (error instanceof AppError && error.code === 'range_not_satisfiable') {
      c.header('Content-Range', `bytes */${(await readRaw(context, { path, signal })).size}`);
    }
    throw error;
  }
}

function disposition(file: RawFile): string {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  // RFC 8187: what encodeURIComponent leaves alone but the header's grammar does not allow.
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const kind = SHOWN_INLINE.test(file.content_type) ? 'inline' : 'attachment';
  return `${kind}; filename*=UTF-8''${encoded}`;
}

/**
 * The bytes as a web stream that ends the file's stream when the client goes away. A file that ends early or fails
 * breaks the connection off, since the length was promised; the reason is only logged.
 */
function streamOf(file: Readable, length: number, log: Logger): ReadableStream<Uint8Array> {
  const chunks = file[Symbol.asyncIterator]();
  let sent = 0;
  const breakOff = (controller: ReadableStreamDefaultController, cause?: unknown) => {
    log.warn({ err: cause, sent, length }, 'a file could not be sent to its end');
    controller.error(new Error('The file could not be read to its end.'));
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) {
          sent += (value as Buffer).byteLength;
          controller.enqueue(value as Buffer);
        } else if (sent === length) controller.close();
        else breakOff(controller);
      } catch (cause) {
        breakOff(controller, cause);
      }
    },
    cancel() {
      file.destroy();
    },
  });
}
