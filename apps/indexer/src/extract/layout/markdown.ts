/**
 * Laid out pages as markdown. Danger: the text is somebody else's; it passes `plainText`, and only what is put around it
 * here is structure.
 */
import { type PageText, plainText } from '../page-units.ts';
import { withHeaders } from './continued-tables.ts';
import { type HeadingRule, headingRule } from './headings.ts';
import { joinHyphens, type Spellings, spellingsIn } from './hyphens.ts';
import type { Block, IsBold, PageLayout, Table } from './model.ts';

export function pagesAsMarkdown(pages: readonly PageLayout[], isBold: IsBold): PageText[] {
  const headings = headingRule(pages, isBold);
  const spellings = spellingsIn([...linesOf(pages)]);
  return withHeaders(pages, (block) => headings.depthOf(block) !== null).map(({ page, blocks, characters }) => ({
    page,
    text: blocks
      .map((block) => blockAsMarkdown(block, headings, spellings))
      .filter((text) => text !== '')
      .join('\n\n'),
    characters,
  }));
}

function* linesOf(pages: readonly PageLayout[]): Generator<string> {
  for (const { blocks } of pages) {
    for (const block of blocks) {
      if ('lines' in block) for (const { text } of block.lines) yield text;
      else for (const cell of block.table.cells.flat()) yield* cell.split('\n');
    }
  }
}

function blockAsMarkdown(block: Block, headings: HeadingRule, spellings: Spellings): string {
  if ('table' in block) return tableAsMarkdown(block.table, spellings);
  const text = plainText(
    joinHyphens(
      block.lines.map((line) => line.text),
      spellings,
    ).join('\n'),
  );
  const depth = headings.depthOf(block);
  if (depth === null || text === '') return text;
  // A run of number signs at the end would be taken for the heading's closing mark.
  return `${'#'.repeat(depth)} ${text.replaceAll('\n', ' ').replace(/#+$/, '\\$&')}`;
}

/** The first row is the header, since markdown knows no table without. */
function tableAsMarkdown({ cells }: Table, spellings: Spellings): string {
  const rows = cells.map((row) => `| ${row.map((cell) => cellAsMarkdown(cell, spellings)).join(' | ')} |`);
  const [header = '', ...others] = rows;
  return [header, `|${' --- |'.repeat(cells[0]?.length ?? 0)}`, ...others].join('\n');
}

function cellAsMarkdown(cell: string, spellings: Spellings): string {
  const text = plainText(joinHyphens(cell.split('\n'), spellings).join('\n'));
  return text.replaceAll('\n', ' ').replace(/\\*\|/g, escapedPipe);
}

/** Backslashes before a pipe would escape the one that escapes it. */
function escapedPipe(pipe: string): string {
  return `${'\\\\'.repeat(pipe.length - 1)}\\|`;
}
