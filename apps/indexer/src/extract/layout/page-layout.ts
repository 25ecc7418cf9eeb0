/**
 * One page, from its placed text to blocks in reading order. Danger: none of the page's own lines is looked at unless
 * asked for, because the parser decodes every picture of the page on the way to them.
 */
import { blocksOf, readsLeftward } from './blocks.ts';
import { readingOrder } from './columns.ts';
import type { Block, IsBold, Line, Row, Rule, Run, Segment, Table } from './model.ts';
import { rowsOf } from './rows.ts';
import { tablesOf } from './tables.ts';

/** Rows with a gap in them, from which on a table is possible. */
const TABLE_ROWS = 2;

/** Whether the page's lines are worth looking at. */
export function mayHoldTable(rows: readonly Row[]): boolean {
  let gaps = 0;
  for (const { segments } of rows) if (segments.length > 1 && ++gaps >= TABLE_ROWS) return true;
  return false;
}

/** @param rules as turned as the runs are; none where no table is looked for */
export function layOut(rows: readonly Row[], runs: readonly Run[], rules: readonly Rule[], isBold: IsBold): Block[] {
  const { tables, rest } = rules.length === 0 ? { tables: [], rest: runs } : tablesOf(rules, runs, isBold);
  const flow = tables.length === 0 ? rows : withTables(rowsOf(rest), tables);
  return blocksOf(readingOrder(flow, readsLeftward(flow)), isBold);
}

function withTables(rows: readonly Row[], tables: readonly Table[]): Row[] {
  const placed = tables.map((table): Row => {
    const { left, right, top, bottom } = table.box;
    const segment: Segment = { left, right, size: Math.min(12, bottom - top), order: 0, runs: [], table };
    return { y: top, segments: [segment] };
  });
  return [...rows, ...placed].sort((a, b) => a.y - b.y);
}

/** Text that runs in some other direction, or that could not be laid out: as the file has it. */
export function inFileOrder(runs: readonly Run[]): Block[] {
  const lines: Line[] = [];
  let text = '';
  for (const run of runs) {
    text += `${run.spaced && text !== '' ? ' ' : ''}${run.text}`;
    if (!run.endsLine) continue;
    lines.push(plainLine(text, run));
    text = '';
  }
  const last = runs.at(-1);
  if (text !== '' && last) lines.push(plainLine(text, last));
  return lines.length === 0 ? [] : [{ lines }];
}

/** Parts it may have keep it from being a heading. */
function plainLine(text: string, run: Run): Line {
  return { text, y: run.y, size: run.size, font: run.font, oneFont: false, parts: 2 };
}
