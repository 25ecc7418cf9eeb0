/**
 * The lines of one part of a page as blocks: paragraphs, headings, tables. Danger: what is cut apart here is no longer
 * joined over a hyphen, and what is left together cannot be a heading.
 */
import { isRightToLeft, lineOf } from './lines.ts';
import type { Block, IsBold, Line, Row, Segment, Table } from './model.ts';

/** A step this much longer than the part's usual one begins a new block. */
const LONG_STEP = 1.3;
/** So does a step longer than this in sizes, where the usual one is long itself. */
const LONGEST_STEP = 2.2;
/** And another size of text, by this share. */
const OTHER_SIZE = 0.08;

/** @param parts rows in reading order, as readingOrder gives them */
export function blocksOf(parts: readonly (readonly Row[])[], isBoldFont: IsBold): Block[] {
  const isBold = ({ oneFont, font }: Line): boolean => oneFont && isBoldFont(font);
  return parts.flatMap((part) => blocksOfPart(part, isBold));
}

function blocksOfPart(rows: readonly Row[], isBold: (line: Line) => boolean): Block[] {
  const blocks: Block[] = [];
  let open: Line[] = [];
  const close = (): void => {
    if (open.length > 0) blocks.push({ lines: open });
    open = [];
  };
  const step = usualStep(rows);
  for (const { row, table } of rows.flatMap(apartFromTables)) {
    if (table) {
      close();
      blocks.push({ table });
      continue;
    }
    const line = lineOf(row);
    if (line.text === '') continue;
    const before = open.at(-1);
    if (before && startsBlock(before, line, step, isBold)) close();
    open.push(line);
  }
  close();
  return blocks;
}

interface RowPart {
  readonly row: Row;
  readonly table: Table | null;
}

/** Text beside a table stands before or after it, as it lies. */
function apartFromTables(row: Row): RowPart[] {
  const parts: RowPart[] = [];
  let open: Segment[] = [];
  for (const segment of row.segments) {
    const { table } = segment;
    // What is open is added to where it is, since a row may have any number of segments.
    if (table !== null || open.length === 0) {
      const segments = [segment];
      parts.push({ row: { y: row.y, segments }, table });
      open = table === null ? segments : [];
    } else open.push(segment);
  }
  return parts;
}

function startsBlock(before: Line, line: Line, usual: number, isBold: (line: Line) => boolean): boolean {
  const size = Math.max(before.size, line.size);
  if (Math.abs(before.size - line.size) > size * OTHER_SIZE) return true;
  // A line wholly in bold may be a heading.
  if (isBold(before) !== isBold(line)) return true;
  const step = line.y - before.y;
  return step > usual * LONG_STEP || step > size * LONGEST_STEP || step < 0;
}

/** Half of the steps from line to line are no longer than this. */
function usualStep(rows: readonly Row[]): number {
  const steps: number[] = [];
  for (let at = 1; at < rows.length; at++) steps.push((rows[at]?.y ?? 0) - (rows[at - 1]?.y ?? 0));
  return steps.sort((a, b) => a - b)[(steps.length - 1) >> 1] ?? 0;
}

/** Whether the page is read from right to left. */
export function readsLeftward(rows: readonly Row[]): boolean {
  return isRightToLeft(rows.flatMap(({ segments }) => segments.flatMap(({ runs }) => runs.map(({ text }) => text))));
}
