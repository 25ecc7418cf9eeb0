/**
 * Bytes to text and back for notes. Danger: only a text decoded from valid UTF-8 may be encoded and written again;
 * a lossy one (`validUtf8: false`) would replace bytes nobody asked to change.
 */
import { createHash } from 'node:crypto';
import type { LineIndex } from './model.ts';

export interface DecodedNote {
  /** A leading byte order mark is kept as U+FEFF, so that valid text encodes back to the same bytes. */
  readonly text: string;
  readonly validUtf8: boolean;
}

/**
 * Decodes a note's bytes. Invalid UTF-8 gives lossy text with U+FFFD where bytes made no sense; a file that starts
 * with a UTF-16 mark is shown as what it is, but counts as not valid UTF-8 all the same.
 */
export function decodeNote(bytes: Uint8Array): DecodedNote {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), validUtf8: true };
  } catch {
    return { text: new TextDecoder(lossyEncoding(bytes), { ignoreBOM: true }).decode(bytes), validUtf8: false };
  }
}

/** The text of a note's first bytes, a character cut at their end left out; null where they are no valid UTF-8. */
export function decodeHead(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The bytes of a text that came from valid UTF-8. */
export function encodeNote(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

/** Hex SHA-256 of a file's bytes: its etag. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Indexes line starts of a text; lines end at a line feed, so `\r\n` counts once. */
export function indexLines(text: string): LineIndex {
  const starts: number[] = [0];
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return {
    count: starts.length,
    startOf: (line) => starts[line - 1] ?? text.length,
    lineAt: (offset) => countAtMost(starts, offset),
  };
}

/** How many of the ascending numbers are at most `limit`. */
export function countAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lossyEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
