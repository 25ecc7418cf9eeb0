/**
 * Puts a document's text together again from its chunks, which repeat the end of the piece before where a section was
 * split. Pure. Danger: what looks like an overlap may be the text repeating itself, so only chunks whose lines touch
 * are joined that way.
 */
import type { Chunk } from '@vault-mcp/shared/index-db/rows';

type TextPiece = Pick<Chunk, 'text' | 'lineStart' | 'lineEnd'>;

/** Longest overlap looked for, in characters: well above `chunking.overlap_tokens` at its default. */
const MAX_OVERLAP = 4000;

/** The chunks' texts in order, overlaps once, a blank line between what does not touch. */
export function joinedText(chunks: readonly TextPiece[]): string {
  let text = '';
  let previous: TextPiece | null = null;
  for (const chunk of chunks) {
    const overlap = previous && chunk.lineStart <= previous.lineEnd ? overlapLength(previous.text, chunk.text) : 0;
    const gap = previous && overlap === 0 ? '\n\n' : '';
    text += gap + chunk.text.slice(overlap);
    previous = chunk;
  }
  return text;
}

/** Length of the longest end of `before` that `after` starts with. */
function overlapLength(before: string, after: string): number {
  const tail = before.slice(-MAX_OVERLAP);
  const head = after.slice(0, MAX_OVERLAP);
  const borders = prefixFunction(head);
  let matched = 0;
  for (let index = 0; index < tail.length; index++) {
    while (matched > 0 && (matched === head.length || tail[index] !== head[matched]))
      matched = borders[matched - 1] ?? 0;
    if (tail[index] === head[matched]) matched++;
  }
  return matched;
}

/** Knuth, Morris and Pratt's: for each prefix, the length of its longest proper prefix that is also its end. */
function prefixFunction(text: string): number[] {
  const borders = [0];
  for (let index = 1; index < text.length; index++) {
    let length = borders[index - 1] ?? 0;
    while (length > 0 && text[index] !== text[length]) length = borders[length - 1] ?? 0;
    borders.push(text[index] === text[length] ? length + 1 : 0);
  }
  return borders;
}
