/**
 * Puts a document's text together again from its chunks, which repeat the end of the piece before, or their table's
 * header, where a section was split. Pure. Danger: what looks like an overlap may be the text repeating itself, so only
 * chunks whose lines touch are joined that way.
 */
import type { Chunk } from '@vault-mcp/shared/index-db/rows';
import { bordersOf } from '@vault-mcp/shared/vault/note/edit/occurrences';

type TextPiece = Pick<Chunk, 'text' | 'lineStart' | 'lineEnd'>;

/** Longest overlap looked for, in characters: well above `chunking.overlap_tokens` at its default. */
const MAX_OVERLAP = 4000;

/** The chunks' texts in order, what is repeated once, a blank line where the text had one or more. */
export function joinedText(chunks: readonly TextPiece[]): string {
  let text = '';
  let previous: TextPiece | null = null;
  for (const chunk of chunks) {
    text += previous === null ? chunk.text : continuation(previous, chunk);
    previous = chunk;
  }
  return text;
}

/** What a chunk adds to the text that ends with `previous`. */
function continuation(previous: TextPiece, chunk: TextPiece): string {
  const own = withoutRepeatedHeader(chunk);
  const distance = chunk.lineStart - previous.lineEnd;
  const overlap = distance <= 0 ? overlapLength(previous.text, own) : 0;
  if (overlap > 0) return own.slice(overlap);
  if (distance > 1) return `\n\n${own}`;
  return distance === 1 ? `\n${own}` : ` ${own}`;
}

/** A piece of a split table starts with the header rows; its line numbers are those of its own rows alone. */
function withoutRepeatedHeader({ text, lineStart, lineEnd }: TextPiece): string {
  const lines = text.split('\n');
  return lines.slice(Math.max(0, lines.length - (lineEnd - lineStart + 1))).join('\n');
}

/** Length of the longest end of `before` that `after` starts with. */
function overlapLength(before: string, after: string): number {
  const tail = before.slice(-MAX_OVERLAP);
  const head = after.slice(0, MAX_OVERLAP);
  const borders = bordersOf(head);
  let matched = 0;
  for (let index = 0; index < tail.length; index++) {
    while (matched > 0 && (matched === head.length || tail[index] !== head[matched]))
      matched = borders[matched - 1] ?? 0;
    if (tail[index] === head[matched]) matched++;
  }
  return matched;
}
