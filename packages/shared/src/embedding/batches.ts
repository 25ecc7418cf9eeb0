/**
 * Cutting work to size: texts into batches, and one text down to a limit at a place where a reader would stop.
 * Danger: everything is counted in UTF-16 units, and no cut may fall inside a surrogate pair.
 */

/**
 * @param maxCount texts per batch; @param maxCharacters total per batch (a single longer text is a batch of its own)
 * @returns batches of positions in `texts`, in order, none empty
 */
export function batchPositions(texts: readonly string[], maxCount: number, maxCharacters: number): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  let characters = 0;
  for (const [position, text] of texts.entries()) {
    if (batch.length > 0 && (batch.length >= maxCount || characters + text.length > maxCharacters)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(position);
    characters += text.length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** A cut may give away at most this share of the limit to fall on a boundary. */
const BOUNDARY_SHARE = 0.3;

/** @returns the text's head of at most `limit` characters, ending at a sentence, else a word, else anywhere. */
export function truncateAtBoundary(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, isInsidePair(text, limit) ? limit - 1 : limit);
  const earliest = Math.floor(limit * (1 - BOUNDARY_SHARE));
  const sentence = lastMatchEnd(head, /[.!?]\s|[。！？]|\n/g, earliest);
  if (sentence > 0) return head.slice(0, sentence).trimEnd();
  const word = lastMatchEnd(head, /\s/g, earliest);
  return word > 0 ? head.slice(0, word).trimEnd() : head;
}

function lastMatchEnd(text: string, pattern: RegExp, earliest: number): number {
  let end = 0;
  pattern.lastIndex = 0;
  for (const match of text.slice(earliest).matchAll(pattern)) end = earliest + match.index + match[0].length;
  return end;
}

function isInsidePair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
