/**
 * Reads a `Range` header against a file's size (RFC 9110 §14). Pure. Danger: a header that is not understood must be
 * ignored, not refused, and only a well-formed one that lies outside the file is unsatisfiable.
 */
import { AppError } from '@vault-mcp/shared/errors';

/** Inclusive byte positions, as `Content-Range` counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Digits are bounded so that no position leaves the safe integers. */
const SINGLE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * @param header the header's value; several ranges, other units and malformed values mean the whole file
 * @param size the file's size in bytes
 * @returns the range to serve, or null for the whole file
 * @throws AppError range_not_satisfiable when the range starts behind the end of the file
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | null {
  const match = SINGLE_RANGE.exec(header?.replace(/\s+/g, '') ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? null : suffixRange(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) throw unsatisfiable(size);
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function suffixRange(length: number, size: number): ByteRange {
  if (length === 0 || size === 0) throw unsatisfiable(size);
  return { start: Math.max(0, size - length), end: size - 1 };
}

function unsatisfiable(size: number): AppError {
  return new AppError('range_not_satisfiable', `The file holds ${size} bytes; ask for a range that starts inside it.`);
}
