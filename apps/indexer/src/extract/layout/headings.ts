/**
 * Which blocks are headings, and how deep: what is set larger than the document's body, or in bold on a short line of its
 * own. Danger: a document may set anything large (a price, a slide, a cover), so a heading is short, has a letter, and
 * never holds parts side by side.
 */
import type { Block, IsBold, Line, PageLayout } from './model.ts';

/** Larger than the body by this share. */
const LARGER = 1.15;
const MAX_LINES = 3;
const MAX_CHARACTERS = 200;
const MAX_BOLD_CHARACTERS = 100;
/** The dots between an entry of a table of contents and its page. */
const LEADER = /(?:\s?\.){4}/;
/** Below what sections are cut at: a section is a page, or those it was joined with would hide which page it is. */
const TOP_DEPTH = 4;
const DEPTHS = 3;

export interface HeadingRule {
  /** @returns 4 to 6; null for text */
  depthOf(block: Block): number | null;
}

export function headingRule(pages: readonly PageLayout[], isBold: IsBold): HeadingRule {
  const lines = pages.flatMap((page) => page.blocks.flatMap((block) => ('lines' in block ? block.lines : [])));
  const body = commonest(lines, ({ size }) => rounded(size)) ?? 0;
  const bodyFont = commonest(lines, ({ font }) => font);
  const isLarge = (block: readonly Line[]): boolean => block.every(({ size }) => size >= body * LARGER);
  const sizes = new Set<number>();
  for (const block of pages.flatMap((page) => page.blocks)) {
    if ('lines' in block && isShort(block.lines, MAX_CHARACTERS) && isLarge(block.lines))
      sizes.add(sizeOf(block.lines));
  }
  // Smaller ones are as deep as the last of these, and a page may have thousands.
  const ranks = [...sizes].sort((a, b) => b - a).slice(0, DEPTHS);
  const rankOf = (size: number): number => {
    const rank = ranks.indexOf(size);
    return rank === -1 ? ranks.length : rank;
  };
  return {
    depthOf(block) {
      if (!('lines' in block)) return null;
      const { lines: own } = block;
      if (isShort(own, MAX_CHARACTERS) && isLarge(own)) return depthAt(rankOf(sizeOf(own)));
      const stands = own.every(
        ({ font, oneFont, size }) => oneFont && font !== bodyFont && isBold(font) && size >= body * 0.95,
      );
      if (stands && isShort(own, MAX_BOLD_CHARACTERS) && !/[.,;]$/.test(own.at(-1)?.text ?? ''))
        return depthAt(ranks.length);
      return null;
    },
  };
}

function depthAt(rank: number): number {
  return TOP_DEPTH + Math.min(rank, DEPTHS - 1);
}

function sizeOf(lines: readonly Line[]): number {
  return rounded(Math.max(...lines.map(({ size }) => size)));
}

/** Half points: producers scale, and the scaled sizes differ in the third digit. */
function rounded(size: number): number {
  return Math.round(size * 2) / 2;
}

function isShort(lines: readonly Line[], maxCharacters: number): boolean {
  if (lines.length > MAX_LINES || lines.some(({ parts }) => parts > 1)) return false;
  const text = lines.map((line) => line.text).join(' ');
  return text.length <= maxCharacters && /\p{L}.*\p{L}/su.test(text) && !LEADER.test(text);
}

/** What most characters have. */
function commonest<T>(lines: readonly Line[], of: (line: Line) => T): T | undefined {
  const characters = new Map<T, number>();
  for (const line of lines) characters.set(of(line), (characters.get(of(line)) ?? 0) + line.text.length);
  let found: T | undefined;
  for (const [value, count] of characters)
    if (count > (found === undefined ? 0 : (characters.get(found) ?? 0))) found = value;
  return found;
}
