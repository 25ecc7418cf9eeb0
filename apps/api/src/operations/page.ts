/**
 * Cuts a long text into pages that end at a line. Pure. Danger: pages laid end to end must give the whole text back,
 * so offsets are UTF-16 units into the text as it was, and no page ends inside a surrogate pair.
 */

export interface TextPage {
  readonly text: string;
  /** Where this page starts, in characters (UTF-16 units). */
  readonly offset: number;
  /** What to ask for next; null when this page reaches the end. */
  readonly next_offset: number | null;
  readonly total_chars: number;
}

/**
 * @param offset where to start; beyond the end gives an empty last page
 * @param maxChars at most this many characters, at least 2; a single longer line is cut inside
 */
export function pageText(text: string, offset: number, maxChars: number): TextPage {
  const total_chars = text.length;
  const start = onBoundary(text, Math.min(Math.max(0, offset), total_chars));
  const limit = start + Math.max(2, maxChars);
  if (limit >= total_chars) return { text: text.slice(start), offset: start, next_offset: null, total_chars };
  const lineEnd = text.lastIndexOf('\n', limit - 1) + 1;
  const end = lineEnd > start ? lineEnd : onBoundary(text, limit);
  return { text: text.slice(start, end), offset: start, next_offset: end, total_chars };
}

/** The position, or one before it when it stands between the halves of a surrogate pair. */
export function onBoundary(text: string, position: number): number {
  const before = text.charCodeAt(position - 1);
  const after = text.charCodeAt(position);
  const inside = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  return inside ? position - 1 : position;
}
