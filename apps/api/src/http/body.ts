/**
 * Reads a JSON request body: bounded while it streams, strictly UTF-8, strictly JSON. Danger: what comes out is still
 * unvalidated.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { decodeUtf8, mediaType, readBytes, requirePlainUtf8 } from './body-bytes.ts';
import type { HttpContext } from './env.ts';

/** Longest JSON body of a call that carries parameters, not texts. 256 KiB is far more than any search needs. */
const MAX_JSON_BYTES = 256 * 1024;

export interface JsonBody {
  readonly optional?: boolean;
  readonly maxBytes?: number;
}

/**
 * @param options.maxBytes longest body; for calls that carry texts
 * @param options.optional an absent or empty body reads as `{}`, whatever its content type
 * @returns the parsed value, not yet validated
 * @throws AppError `invalid_request` for another content type or encoding, a longer body, bad UTF-8 or bad JSON
 */
export async function readJson(c: HttpContext, options: JsonBody = {}): Promise<unknown> {
  const { optional = false, maxBytes = MAX_JSON_BYTES } = options;
  const bytes = await readBytes(c, maxBytes, () => bodyTooLong(maxBytes));
  if (optional && bytes.byteLength === 0) return {};
  if (mediaType(c) !== 'application/json') {
    throw new AppError('invalid_request', 'Send the body as JSON, with the header "Content-Type: application/json".');
  }
  requirePlainUtf8(c);
  return parseJson(decodeUtf8(bytes));
}

/** @throws AppError `invalid_request` */
export function parseJson(text: string): unknown {
  if (text.trim() === '') throw new AppError('invalid_request', 'The body is empty; send a JSON object.');
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not valid JSON; check quotes, commas and braces.', { cause });
  }
}

export function bodyTooLong(limit: number): AppError {
  return new AppError('invalid_request', `The body may hold at most ${limit} bytes; send less.`);
}
