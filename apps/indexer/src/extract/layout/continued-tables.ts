/**
 * Tables that go on from page to page have their header on each of them, so that a page says by itself what its numbers
 * are. Danger: a row is put on a page that does not have it; so it has to be plain that the first row is a header, that the
 * columns are the same, and that nothing but running heads and feet stands in between.
 */
import type { Block, PageLayout, Table } from './model.ts';

/** Columns that lie apart by no more are the same. Points. */
const TOLERANCE = 3;
/** Lines between two tables that both pages have, once each, as running heads and feet are; … */
const MAX_RECURRING = 24;
/** … and lines that only one has: an amount carried over, the number of a page that is the first with one. */
const MAX_OTHERS = 3;
/** Characters of a header: it is repeated on thousands of pages, and what is longer is a text in a frame. */
const MAX_HEADER = 1_000;
/** What introduces what stands under it is no running head: a colon at its end, or a caption that counts (`Table 2: …`). */
const INTRODUCES = /:$|^\p{L}+\.? \d+(?:\.\d+)*(?:[.:]| [-\u2013\u2014]) \p{L}/u;

type IsHeading = (block: Block) => boolean;

/** A page's last table, which the next page may go on with. */
interface Open {
  readonly page: number;
  readonly table: Table;
  readonly header: readonly string[];
  /** All of the page, … */
  readonly blocks: readonly Block[];
  /** … and what stands after the table. */
  readonly after: readonly Block[];
}

/** @param pages in their order */
export function withHeaders(pages: readonly PageLayout[], isHeading: IsHeading): PageLayout[] {
  let open: Open | null = null;
  return pages.map((page) => {
    const at = page.blocks.findIndex((block) => 'table' in block);
    const first = page.blocks[at];
    const continued: Table | null =
      open &&
      first &&
      'table' in first &&
      open.page === page.page - 1 &&
      areEdges([...open.after, ...page.blocks.slice(0, at)], [open.blocks, page.blocks], isHeading)
        ? continuation(open, first.table)
        : null;
    const blocks: readonly Block[] = continued === null ? page.blocks : page.blocks.with(at, { table: continued });
    open = openAfter({ ...page, blocks }, continued === null ? null : open);
    return { ...page, blocks };
  });
}

/** @param before what the page's first table goes on from */
function openAfter({ page, blocks }: PageLayout, before: Open | null): Open | null {
  const at = blocks.findLastIndex((block) => 'table' in block);
  const last = blocks[at];
  if (!last || !('table' in last)) return null;
  const isOnly = blocks.findIndex((block) => 'table' in block) === at;
  const header = before !== null && isOnly ? before.header : headerOf(last.table);
  if (header === null || header.reduce((sum, cell) => sum + cell.length, 0) > MAX_HEADER) return null;
  return { page, table: last.table, header, blocks, after: blocks.slice(at + 1) };
}

/**
 * Whether what stands between two tables is running heads and feet, and little else.
 * @param pages the two that they stand on
 */
function areEdges(between: readonly Block[], pages: readonly (readonly Block[])[], isHeading: IsHeading): boolean {
  const lines = between.flatMap(linesOf);
  if (lines.length > MAX_RECURRING + MAX_OTHERS) return false;
  const texts = pages.map((blocks) => blocks.flatMap(linesOf));
  const headings = between.filter(isHeading).flatMap(linesOf);
  if (!headings.every((line) => texts.every((page) => page.includes(line)))) return false;
  const known = texts.map(timesOf);
  const others = lines.filter((line) => known.some((times) => times.get(withoutDigits(line)) !== 1));
  if (others.some((line) => INTRODUCES.test(line))) return false;
  return others.length <= MAX_OTHERS && lines.length - others.length <= MAX_RECURRING;
}

function linesOf(block: Block): string[] {
  return 'lines' in block ? block.lines.map(({ text }) => text) : [];
}

/** How often each line stands on a page: twice is no running head, it may be a list that differs in its numbers only. */
function timesOf(lines: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of lines.map(withoutDigits)) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** A page's number is another one on each; what is of digits only may be anything. */
function withoutDigits(line: string): string {
  return /\p{L}/u.test(line) ? line.replace(/\d+/g, '0') : line;
}

/** @returns the table with the header and the columns of the open one; null when it has its own, or is another */
function continuation({ table, header }: Open, next: Table): Table | null {
  const columns = next.lefts.map((left) =>
    table.lefts.findIndex((other) => Math.abs(other - table.box.left - (left - next.box.left)) <= TOLERANCE),
  );
  const width = ({ box }: Table): number => box.right - box.left;
  if (columns.includes(-1) || new Set(columns).size < columns.length) return null;
  if (Math.abs(width(table) - width(next)) > TOLERANCE || headerOf(next) !== null) return null;
  const rows = next.cells.map((row) => table.lefts.map((_, column) => row[columns.indexOf(column)] ?? ''));
  if (rows[0]?.every((cell, column) => cell === header[column])) return null;
  return { ...next, cells: [header, ...rows], lefts: table.lefts.map((left) => left - table.box.left + next.box.left) };
}

/** The first row where it is plainly a header: in bold, or words over columns of which one at least is of numbers. */
function headerOf({ cells, isHeaded }: Table): readonly string[] | null {
  const [first = [], ...rows] = cells;
  if (isHeaded) return first;
  const named = first.filter((cell) => cell !== '');
  if (named.length < 2 || named.some((cell) => /\d/.test(cell) || !/\p{L}/u.test(cell))) return null;
  const isOfNumbers = (column: number): boolean => {
    const filled = rows.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    return filled.length > 0 && filled.every((cell) => /\d/.test(cell));
  };
  return [...first.keys()].some((column) => first[column] !== '' && isOfNumbers(column)) ? first : null;
}
