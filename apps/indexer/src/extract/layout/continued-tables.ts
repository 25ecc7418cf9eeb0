/**
 * Tables that go on from page to page have their header on each of them, so that a page says by itself what its numbers
 * are. Danger: a row is put on a page that does not have it; so it has to be plain that the first row is a header, that the
 * columns are the same, and that nothing but running heads and feet stands in between.
 */
import type { Block, PageLayout, Table } from './model.ts';

/** Columns that lie apart by no more are the same. Points. */
const TOLERANCE = 3;
/** Lines of running heads or feet on either page. */
const MAX_EDGE_LINES = 12;

type IsHeading = (block: Block) => boolean;

/** A page's last table, which the next page may go on with. */
interface Open {
  readonly page: number;
  readonly table: Table;
  readonly header: readonly string[];
  readonly texts: ReadonlySet<string>;
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
      isEdge(page.blocks.slice(0, at), open, isHeading)
        ? continuation(open, first.table)
        : null;
    const blocks: readonly Block[] = continued === null ? page.blocks : page.blocks.with(at, { table: continued });
    open = openAfter({ ...page, blocks }, isHeading, continued === null ? null : open);
    return { ...page, blocks };
  });
}

/** @param before what the page's first table goes on from */
function openAfter({ page, blocks }: PageLayout, isHeading: IsHeading, before: Open | null): Open | null {
  const at = blocks.findLastIndex((block) => 'table' in block);
  const last = blocks[at];
  if (!last || !('table' in last)) return null;
  const texts = new Set(blocks.map(textOf));
  const isOnly = blocks.findIndex((block) => 'table' in block) === at;
  const header = before !== null && isOnly ? before.header : headerOf(last.table);
  const open = header === null ? null : { page, table: last.table, header, texts };
  return open && isEdge(blocks.slice(at + 1), open, isHeading) ? open : null;
}

/** A heading is none, unless it stands on the page before as well. */
function isEdge(blocks: readonly Block[], { texts }: Open, isHeading: IsHeading): boolean {
  const lines = blocks.reduce((sum, block) => sum + ('lines' in block ? block.lines.length : 0), 0);
  return lines <= MAX_EDGE_LINES && blocks.every((block) => !isHeading(block) || texts.has(textOf(block)));
}

function textOf(block: Block): string {
  return 'lines' in block ? block.lines.map(({ text }) => text).join(' ') : '';
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
