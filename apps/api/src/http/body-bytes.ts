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

/** @throws AppError `invalid_request` for a charset other than UTF-8 and for a compressed body */
export function requirePlainUtf8(c: HttpContext): void {
  const parameters = (c.req.header('content-type') ?? '').toLowerCase().split(';').slice(1);
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(part)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new AppError('invalid_request', 'Bodies are UTF-8; send it in that encoding, or name no charset.');
  }
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw new AppError('invalid_request', 'Compressed bodies are not read; send it without Content-Encoding.');
  }
}

/**
 * @param limit in bytes
 * @param tooLarge the refusal of a longer body, of which nothing is kept; see unread-body.ts for the rest of it
 * @throws what `tooLarge` makes; AppError `invalid_request` when the body ends before its end
 */
export async function readBytes(c: HttpContext, limit: number, tooLarge: () => AppError): Promise<Buffer> {
  const stated = c.req.header('transfer-encoding') === undefined ? Number(c.req.header('content-length') ?? 0) : 0;
  if (stated > limit) throw tooLarge();
  let bytes = Buffer.alloc(0);
  let length = 0;
  const reader = c.req.raw.body?.getReader();
  for (;;) {
    const part = await reader?.read().catch((cause: unknown) => {
      throw new AppError('invalid_request', 'The body broke off before its end; send it again.', { cause });
    });
    if (part === undefined || part.done) return bytes.subarray(0, length);
    const needed = length + part.value.byteLength;
    if (needed > limit) throw tooLarge();
    if (needed > bytes.byteLength) bytes = grown(bytes, Math.min(limit, Math.max(needed, 2 * length)));
    bytes.set(part.value, length);
    length = needed;
  }
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
