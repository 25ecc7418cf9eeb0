/**
 * Runs that share a baseline as rows, and rows cut into segments wherever a gap could part columns or cells. Danger: a
 * page may hold 200 000 runs, so this sorts once and walks; nothing here compares every run with every other.
 */
import type { Row, Run, Segment } from './model.ts';

/** Share of the smaller size by which baselines of one row may differ. */
const BASELINE = 0.35;
/** Gap, in sizes, from which on a row is cut: narrower than any gutter, as wide as a stretched word space may be. */
const CUT = 0.8;
/** The same text again within this share of its size is a shadow or an imitation of bold. */
const SHADOW = 0.3;

/** From top to bottom. */
export function rowsOf(runs: readonly Run[]): Row[] {
  const rows: Row[] = [];
  let row: Run[] = [];
  for (const run of runs.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const first = row[0];
    if (first && run.y - first.y > Math.max(1, BASELINE * Math.min(run.size, first.size))) {
      rows.push(rowOf(row));
      row = [];
    }
    row.push(run);
  }
  if (row.length > 0) rows.push(rowOf(row));
  return rows;
}

function rowOf(runs: readonly Run[]): Row {
  const segments: Segment[] = [];
  let open: Run[] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const run of runs.toSorted((a, b) => a.x - b.x || a.order - b.order)) {
    const before = open.at(-1);
    if (before && isShadow(before, run)) continue;
    if (before && run.x - right > CUT * Math.max(before.size, run.size)) {
      segments.push(segmentOf(open));
      open = [];
    }
    open.push(run);
    right = Math.max(open.length === 1 ? Number.NEGATIVE_INFINITY : right, run.x + run.width);
  }
  segments.push(segmentOf(open));
  return { y: runs[0]?.y ?? 0, segments };
}

function isShadow(before: Run, run: Run): boolean {
  const reach = SHADOW * run.size;
  return run.text === before.text && run.x - before.x < Math.min(reach, run.width / 2);
}

function segmentOf(runs: readonly Run[]): Segment {
  let right = Number.NEGATIVE_INFINITY;
  let order = Number.POSITIVE_INFINITY;
  let size = 0;
  for (const run of runs) {
    right = Math.max(right, run.x + run.width);
    order = Math.min(order, run.order);
    size = Math.max(size, run.size);
  }
  return { left: runs[0]?.x ?? 0, right, size, order, runs, table: null };
}
