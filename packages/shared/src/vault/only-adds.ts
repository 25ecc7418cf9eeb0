/**
 * Whether a note was only added to: what a caller with the right `append` is held to, whatever its edit calls itself. Pure.
 * Danger: text that goes unnoticed here is gone from somebody's note.
 */
import { parseFrontmatter } from './note/frontmatter.ts';

/** Who wrote a note, and from what: the program's own lines, which it keeps right with each change it makes. */
const PROVENANCE = /^vault_(agent|source)\s*:/;

/**
 * Below the frontmatter the new text has to be the old one with one piece put in, white space aside; of the frontmatter
 * one line may be another or new (the timestamp's), beside those of its provenance, and a block may come where none was.
 */
export function onlyAdds(before: string, after: string): boolean {
  const [old, now] = [partsOf(before), partsOf(after)];
  return isWithOnePiece(dense(old.body), dense(now.body)) && isWithOneLine(linesOf(old.inner), linesOf(now.inner));
}

function partsOf(text: string): { readonly inner: string; readonly body: string } {
  const { inner, range } = parseFrontmatter(text);
  return { inner: text.slice(inner.from, inner.to), body: text.slice(range.to) };
}

function dense(text: string): string {
  return text.replace(/\s+/g, '');
}

function isWithOnePiece(old: string, now: string): boolean {
  if (now.length < old.length) return false;
  let same = 0;
  while (same < old.length && old[same] === now[same]) same++;
  return now.endsWith(old.slice(same));
}

function isWithOneLine(before: readonly string[], after: readonly string[]): boolean {
  let first = 0;
  while (first < before.length && before[first] === after[first]) first++;
  let last = 0;
  while (last < before.length - first && last < after.length - first && before.at(-1 - last) === after.at(-1 - last))
    last++;
  return before.length - first - last <= 1 && after.length - first - last <= 1;
}

function linesOf(block: string): string[] {
  return block.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !PROVENANCE.test(line));
}
