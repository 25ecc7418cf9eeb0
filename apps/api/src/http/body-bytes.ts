/**
 * Reads a request's body into memory, bounded while it streams, and checks what its headers say of it. Danger: the
 * length that a client states is only a claim, and a chunked body states none, so the limit counts what arrives; a body
 * that broke off in the middle must never pass for a whole one.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { HttpContext } from './env.ts';

/** The content type without its parameters, in lower case; empty when there is none. */
export function mediaType(c: HttpContext): string {
  return (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** @throws AppError `invalid_request` for a compressed body */
export function requireUncompressed(c: HttpContext): void {
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return;
  throw new AppError('invalid_request', 'Compressed bodies are not read; send it without Content-Encoding.');
}

/** @throws AppError `invalid_request` for a charset other than UTF-8 and for a compressed body */
export function requirePlainUtf8(c: HttpContext): void {
  const parameters = (c.req.header('content-type') ?? '').toLowerCase().split(';').slice(1);
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(part)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new AppError('invalid_request', 'Bodies are UTF-8; send it in that encoding, or name no charset.');
  }
  requireUncompressed(c);
}

/** The length a request states of its body, in bytes; null when it states none. */
export function statedLength(c: HttpContext): number | null {
  if (c.req.header('transfer-encoding') !== undefined) return null;
  const stated = c.req.header('content-length');
  return stated === undefined ? null : Number(stated);
}

/**
 * The parts of a body as they come. Whoever stops early leaves the rest where it is; see unread-body.ts.
 *
 * @throws AppError `invalid_request` when the body ends before its end
 */
export async function* bodyParts(c: HttpContext): AsyncGenerator<Uint8Array, void> {
  const reader = c.req.raw.body?.getReader();
  for (;;) {
    const part = await reader?.read().catch((cause: unknown) => {
      throw new AppError('invalid_request', 'The body broke off before its end; send it again.', { cause });
    });
    if (part === undefined || part.done) return;
    yield part.value;
  }
}

/**
 * @param limit in bytes
 * @param tooLarge the refusal of a longer body, of which nothing is kept; see unread-body.ts for the rest of it
 * @throws what `tooLarge` makes; AppError `invalid_request` when the body ends before its end
 */
export async function readBytes(c: HttpContext, limit: number, tooLarge: () => AppError): Promise<Buffer> {
  if ((statedLength(c) ?? 0) > limit) throw tooLarge();
  let bytes = Buffer.alloc(0);
  let length = 0;
  for await (const part of bodyParts(c)) {
    const needed = length + part.byteLength;
    if (needed > limit) throw tooLarge();
    if (needed > bytes.byteLength) bytes = grown(bytes, Math.min(limit, Math.max(needed, 2 * length)));
    bytes.set(part, length);
    length = needed;
  }
  return bytes.subarray(0, length);
}

/** One buffer, and not the parts as they come: a body in a million parts would take a hundred times its own size. */
function grown(bytes: Uint8Array, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafe(size);
  larger.set(bytes);
  return larger;
}

/** A byte order mark is kept as U+FEFF. @throws AppError `invalid_request` for bytes that are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not valid UTF-8; send it in that encoding.', { cause });
  }
}
