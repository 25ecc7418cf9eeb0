/**
 * The facts that stand in a chunk of a page: its bullets, and its other lines but headings. Pure. Danger: a chunk is a piece of a
 * page, whose first line may be the end of what began before it; it is only compared with, never edited. And it may begin with
 * lines that stand elsewhere, which would shift all others.
 */
import type { ChunkRow } from '@vault-mcp/shared/index-db/rows';
import { listItems } from '@vault-mcp/shared/vault/note/list-items';
import { parseStructure } from '@vault-mcp/shared/vault/note/parse';
import { factText } from './fact.ts';

export interface ChunkFact {
  readonly path: string;
  /** 1-based, in the page. */
  readonly line: number;
  /** As it stands there. */
  readonly text: string;
  /** What it says: without marker, trailing links and date. */
  readonly said: string;
}

export function factsIn(chunk: Pick<ChunkRow, 'path' | 'lineStart' | 'lineEnd' | 'text'>): ChunkFact[] {
  const { path, lineStart } = chunk;
  const text = ownLines(chunk);
  // A chunk that begins with dashes is no block of keys.
  const page = parseStructure(`\n${text}`);
  const items = listItems(page).map(({ line, range }) => ({
    line: line - 1,
    text: page.text.slice(range.from, range.to),
  }));
  const inItems = new Set(items.flatMap((item) => item.text.split('\n').map((_, at) => item.line + at)));
  const others = text
    .split('\n')
    .map((one, at) => ({ line: at + 1, text: one.trim() }))
    .filter((one) => !inItems.has(one.line) && !/^#{1,6}\s/.test(one.text));
  return [...items, ...others]
    .map((one) => ({ path, line: lineStart + one.line - 1, text: one.text, said: factText(one.text) }))
    .filter(({ said }) => /[\p{L}\p{N}]/u.test(said));
}

/** A piece of a split table begins with the table's header; and where a page has no text its chunk is its title. */
function ownLines({ lineStart, lineEnd, text }: Pick<ChunkRow, 'lineStart' | 'lineEnd' | 'text'>): string {
  const lines = text.split('\n');
  const foreign = lines.length - (lineEnd - lineStart + 1);
  return foreign < 0 ? '' : lines.slice(foreign).join('\n');
}
