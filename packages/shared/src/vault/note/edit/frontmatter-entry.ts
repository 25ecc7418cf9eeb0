/**
 * The line edits that give an existing key another value. Comments stay: the one on the key's line, those on lines of
 * their own, and those of lines that go away, which then stand on lines of their own.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Frontmatter, FrontmatterEntry, TextRange } from '../model.ts';
import { listChange } from './frontmatter-list.ts';
import { type BlockSource, blockSource, type EntrySource, entrySource } from './frontmatter-source.ts';
import type { FrontmatterValue } from './frontmatter-value.ts';
import { lineEndAt } from './inserted-text.ts';
import { lineBreakFrom, lineStartOf, nextLineFrom } from './lines.ts';
import { holdsMisreadString } from './misread.ts';
import type { Splice } from './outcome.ts';
import { valueLines } from './yaml-lines.ts';

/** Whether an entry has a value already, written so that every reader takes it for that. */
export function holdsValue(
  text: string,
  frontmatter: Frontmatter,
  entry: FrontmatterEntry,
  value: FrontmatterValue,
): boolean {
  if (!isDeepStrictEqual(frontmatter.data[entry.key], value)) return false;
  return !holdsMisreadString(entrySource(text, blockSource(text, frontmatter), entry)?.value);
}

/** Ways to set the entry, the least change first, to be verified by a parse; none when lines cannot be told apart. */
export function setEntrySplices(
  text: string,
  frontmatter: Frontmatter,
  entry: FrontmatterEntry,
  value: FrontmatterValue,
): Splice[] {
  const source = blockSource(text, frontmatter);
  const place = entrySource(text, source, entry);
  const old = frontmatter.data[entry.key];
  if (place === null) return [];
  const change = Array.isArray(value) ? listChange(text, source, place, old, value) : null;
  const whole = wholeValue(text, source, place, value);
  if (change === null) return [whole];
  return [asSplice(text, source, change.range, change.lines), whole];
}

/** The value written anew behind its key. */
function wholeValue(text: string, source: BlockSource, place: EntrySource, value: FrontmatterValue): Splice {
  const { entry, valueFrom } = place;
  const end = lineEndAt(text, entry.range.from);
  const indent = /^ */.exec(text.slice(entry.range.from))?.[0] ?? '';
  const { inline, below } = valueLines(value);
  const keyLineEnd = lineBreakFrom(text, valueFrom);
  const onKeyLine = source.comments.find(({ from }) => from >= valueFrom && from < keyLineEnd);
  const comment = onKeyLine === undefined ? '' : spacedComment(text, onKeyLine);
  const first = (inline === '' ? '' : ` ${inline}`) + comment + end;
  const lines = below.map((line) => indent + line);
  const rest = asSplice(text, source, { from: nextLineFrom(text, valueFrom), to: entry.range.to }, lines);
  return { from: valueFrom, to: entry.range.to, insert: first + rest.insert };
}

/** A comment with the white space before it. */
function spacedComment(text: string, { from, to }: TextRange): string {
  let start = from;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  return start === from ? ` ${text.slice(from, to)}` : text.slice(start, to);
}

/** Lines in place of whole lines, the comments of those kept below them. */
function asSplice(text: string, source: BlockSource, range: TextRange, lines: readonly string[]): Splice {
  const end = lineEndAt(text, range.from === range.to ? Math.max(0, range.from - 1) : range.from);
  const comments = source.comments.filter(({ from }) => from >= range.from && from < range.to);
  const kept = comments.map((comment) => {
    const before = text.slice(lineStartOf(text, comment.from), comment.from);
    return (before.trim() === '' ? before : '  ') + text.slice(comment.from, comment.to);
  });
  return { ...range, insert: [...lines, ...kept].map((line) => line + end).join('') };
}
