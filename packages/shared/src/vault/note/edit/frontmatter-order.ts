/**
 * Where a new key goes: the known ones in their conventional order, others last. A comment right above a key belongs
 * to it, so a key put before another goes above its comments.
 */
import type { Frontmatter } from '../model.ts';
import { lineStartOf } from './lines.ts';

/** SPEC §4. */
const ORDER = ['type', 'title', 'description', 'tags', 'timestamp', 'expires', 'expires_reason'];

/** Offset of the line in the note's text that a new key takes. */
export function newKeyPlace(text: string, { inner, entries }: Frontmatter, key: string): number {
  const rank = ORDER.indexOf(key);
  const last = entries.at(-1);
  if (last === undefined) return inner.to;
  if (rank === -1) return last.range.to;
  const before = entries.findLast((entry) => ORDER.indexOf(entry.key) !== -1 && ORDER.indexOf(entry.key) < rank);
  if (before !== undefined) return before.range.to;
  const after = entries.find((entry) => ORDER.indexOf(entry.key) > rank) ?? entries[0] ?? last;
  return aboveComments(text, after.range.from, inner.from);
}

function aboveComments(text: string, entryFrom: number, innerFrom: number): number {
  let from = entryFrom;
  while (from > innerFrom) {
    const above = lineStartOf(text, from - 1);
    if (above < innerFrom || !text.slice(above, from).trimStart().startsWith('#')) break;
    from = above;
  }
  return from;
}
