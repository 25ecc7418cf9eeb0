/**
 * Running heads and feet told from the columns they stand over or under: a page number that is as narrow as a column would
 * else be read at its end, in the midst of a sentence that goes on in the next. Danger: a column's own last lines look
 * much the same, so what is taken for an edge is small or few, and nothing of either column stands beside or beyond it.
 */
import type { Row } from './model.ts';

/** A step this much longer than the usual one sets an edge apart where its type is small, … */
const SMALL_GAP = 1.3;
/** … and where it is not. */
const PLAIN_GAP = 2;
/** Shares of the body's size: small type is no larger than the first, and no edge is larger than the second. */
const SMALL = 0.9;
const PLAIN = 1.1;
/** Lines of an edge in the body's size. */
const PLAIN_LINES = 2;

export interface EdgedRows {
  /** From top to bottom, each set apart from the next. */
  readonly heads: readonly (readonly Row[])[];
  readonly body: readonly Row[];
  readonly feet: readonly (readonly Row[])[];
}

/** @param rows none of which crosses the gutter, from top to bottom */
export function apartFromEdges(rows: readonly Row[], gutter: number): EdgedRows {
  const step = Math.max(usualStep(rows, gutter, true), usualStep(rows, gutter, false));
  const size = middle(rows.map(sizeOf));
  const isEdge = (group: readonly Row[], gap: number, left: number): boolean => {
    if (group.length >= left) return false;
    if (group.every((row) => sizeOf(row) <= size * SMALL)) return true;
    if (gap <= step * PLAIN_GAP || group.some((row) => sizeOf(row) > size * PLAIN)) return false;
    return group.length === 1 || (group.length <= PLAIN_LINES && !hasBothSides(group, gutter));
  };
  const gapAt = (at: number): number => (rows[at]?.y ?? 0) - (rows[at - 1]?.y ?? 0);
  const heads: (readonly Row[])[] = [];
  const feet: (readonly Row[])[] = [];
  let [from, to] = [0, rows.length];
  for (let at = to - 1; at > from; at--) {
    if (gapAt(at) <= step * SMALL_GAP) continue;
    const group = rows.slice(at, to);
    if (!isEdge(group, gapAt(at), at - from)) break;
    feet.push(group);
    to = at;
  }
  for (let at = 1; at < to; at++) {
    if (gapAt(at) <= step * SMALL_GAP) continue;
    const group = rows.slice(from, at);
    if (!isEdge(group, gapAt(at), to - at)) break;
    heads.push(group);
    from = at;
  }
  return { heads, body: rows.slice(from, to), feet: feet.reverse() };
}

/** Whether a group of rows has text on either side of the gutter. */
export function hasBothSides(rows: readonly Row[], gutter: number): boolean {
  const segments = rows.flatMap((row) => row.segments);
  return segments.some(({ right }) => right <= gutter) && segments.some(({ right }) => right > gutter);
}

/** The middling step from line to line of one side. */
function usualStep(rows: readonly Row[], gutter: number, isLeft: boolean): number {
  const own = rows.filter(({ segments }) => segments.some(({ right }) => right <= gutter === isLeft));
  return middle(own.slice(1).map(({ y }, at) => y - (own[at]?.y ?? 0)));
}

/** By a loop: a row may have more segments than a call may have arguments. */
function sizeOf({ segments }: Row): number {
  let largest = 0;
  for (const { size } of segments) largest = Math.max(largest, size);
  return largest;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
