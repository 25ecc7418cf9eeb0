/**
 * Reads a JSON request body: bounded while it streams, strictly UTF-8, strictly JSON. Danger: a route that reads a
 * body must stand behind `jsonBodyLimit`, or one caller can fill the memory; what comes out is still unvalidated.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { bodyLimit } from 'hono/body-limit';
import type { HttpContext } from './env.ts';

/** Longest JSON body of a call that carries parameters, not notes. 256 KiB is far more than any search needs. */
const MAX_JSON_BYTES = 256 * 1024;

function requireJsonType(c: HttpContext): void {
  const [type = '', ...parameters] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/json') {
    throw new AppError('invalid_request', 'Send the body as JSON, with the header "Content-Type: application/json".');
  }
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(part)?.[1]).find(Boolean);
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new AppError('invalid_request', 'JSON bodies are UTF-8; send it in that encoding.');
  }
  const encoding = c.req.header('content-encoding')?.trim().toLowerCase();
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
    throw new AppError('invalid_request', 'Compressed bodies are not read; send it without Content-Encoding.');
  }
}

/** Middleware that stops reading a body at the limit, chunked ones included. */
export const jsonBodyLimit = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: (c) => {
    // What was not read of the body still stands on the connection, so no other request can follow it.
    c.header('Connection', 'close');
    throw new AppError('invalid_request', `The body may hold at most ${MAX_JSON_BYTES} bytes; send less.`);
  },
});

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not valid UTF-8; send it in that encoding.', { cause });
  }
}

/**
 * @param options.optional an absent or empty body reads as `{}`, whatever its content type
 * @returns the parsed value, not yet validated
 * @throws AppError invalid_request for another content type or encoding, bad UTF-8 or bad JSON
 */
export async function readJson(c: HttpContext, options: { optional?: boolean } = {}): Promise<unknown> {
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  if (options.optional && bytes.byteLength === 0) return {};
  requireJsonType(c);
  const text = decode(bytes);
  if (text.trim() === '') throw new AppError('invalid_request', 'The body is empty; send a JSON object.');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not valid JSON; check quotes, commas and braces.', { cause });
  }
}
