/**
 * The order in which a page is read: columns one after the other, what spans them in its place. Danger: a table without
 * rules looks like columns, and read down instead of across it means something else; so both sides have to look
 * like prose or be written one after the other in the file, else rows stay whole.
 */
import type { Row, Segment } from './model.ts';

/** Lines each side of a gutter needs. */
const MIN_LINES = 3;
/** Width, in sizes, of a middling line on each side. */
const MIN_WIDTH = 5;
/** The same where the file's order goes across the gutter, … */
const PROSE_WIDTH = 15;
/** … with as many lines at least, … */
const PROSE_LINES = 6;
/** … and this share of the widest line. */
const PROSE_FILL = 0.8;
/** Crossings of the gutter in the file's order, by lines of the shorter side, up to which it goes down the columns. */
const ACROSS = 0.34;
/** The outer share of the width, on either side, where no gutter is looked for. */
const MARGIN = 0.12;
/** Places looked at; on a page of ordinary width a point each. */
const PLACES = 1_000;
/** Gutters tried before a part of the page is taken for one column. */
const TRIES = 3;
/** Columns of columns: three gutters part eight columns. */
const MAX_DEPTH = 3;

/** @returns the parts of the page in reading order, each with its rows from top to bottom */
export function readingOrder(rows: readonly Row[], rightToLeft: boolean, depth = 0): (readonly Row[])[] {
  if (rows.length === 0) return [];
  if (depth < MAX_DEPTH) {
    for (const gutter of gutters(rows)) {
      const parts = partedBy(gutter, rows, rightToLeft, depth);
      if (parts !== null) return parts;
    }
  }
  return [rows];
}

/** @returns null when nowhere on the page this place parts columns */
function partedBy(gutter: number, rows: readonly Row[], rightToLeft: boolean, depth: number): Row[][] | null {
  const parts: Row[][] = [];
  let whole: Row[] = [];
  let isParted = false;
  for (const band of bandsAround(gutter, rows)) {
    const left = sideOf(band, ({ right }) => right <= gutter);
    const right = sideOf(band, ({ right: end }) => end > gutter);
    if (!areColumns(left, right)) {
      whole.push(...band);
      continue;
    }
    isParted = true;
    if (whole.length > 0) parts.push(whole);
    whole = [];
    for (const side of rightToLeft ? [right, left] : [left, right]) {
      for (const part of readingOrder(side, rightToLeft, depth + 1)) parts.push([...part]);
    }
  }
  if (!isParted) return null;
  // The rows around the columns may have columns elsewhere, but not here again.
  return whole.length > 0 ? [...parts, whole] : parts;
}

/** Runs of rows that keep clear of the gutter, and runs of rows that cross it, from top to bottom. */
function bandsAround(gutter: number, rows: readonly Row[]): Row[][] {
  const bands: Row[][] = [];
  let wasCrossing: boolean | null = null;
  for (const row of rows) {
    const crosses = row.segments.some(({ left, right }) => left < gutter && right > gutter);
    if (crosses === wasCrossing) bands.at(-1)?.push(row);
    else bands.push([row]);
    wasCrossing = crosses;
  }
  return bands;
}

function sideOf(rows: readonly Row[], belongs: (segment: Segment) => boolean): Row[] {
  const side: Row[] = [];
  for (const { y, segments } of rows) {
    const own = segments.filter(belongs);
    if (own.length > 0) side.push({ y, segments: own });
  }
  return side;
}

function areColumns(left: readonly Row[], right: readonly Row[]): boolean {
  const lines = Math.min(left.length, right.length);
  if (lines < MIN_LINES) return false;
  const widths = [left, right].map((side) => side.map(widthOf).toSorted((a, b) => a - b));
  const middles = widths.map((sorted) => sorted[sorted.length >> 1] ?? 0);
  if (middles.some((middle) => middle < MIN_WIDTH)) return false;
  if (switchesBetween(left, right) <= lines * ACROSS) return true;
  if (lines < PROSE_LINES) return false;
  return middles.every((middle, at) => middle >= PROSE_WIDTH && middle >= PROSE_FILL * (widths[at]?.at(-1) ?? 0));
}

/** What is written of a line, in sizes: the gaps between the cells of a table make no prose of them. */
function widthOf({ segments }: Row): number {
  const written = segments.reduce((sum, { left, right }) => sum + right - left, 0);
  return written / Math.max(segments[0]?.size ?? 1, 1);
}

/** How often the file's order changes sides. */
function switchesBetween(left: readonly Row[], right: readonly Row[]): number {
  const sides = [left, right].flatMap((side, at) =>
    side.map(({ segments }) => ({ at, order: segments[0]?.order ?? 0 })),
  );
  sides.sort((a, b) => a.order - b.order);
  let switches = 0;
  for (let at = 1; at < sides.length; at++) if (sides[at]?.at !== sides[at - 1]?.at) switches++;
  // The one from the first column to the second.
  return switches - 1;
}

/** Places that few segments cross and that have text on both sides, the best first. */
function gutters(rows: readonly Row[]): number[] {
  const segments = rows.flatMap((row) => row.segments);
  const { left, right } = extent(segments);
  const step = (right - left) / PLACES;
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const place = (x: number): number => Math.min(PLACES - 1, Math.max(0, Math.floor((x - left) / step)));
  const starts = new Int32Array(PLACES + 1);
  const ends = new Int32Array(PLACES + 1);
  for (const segment of segments) {
    starts[place(segment.left)] = (starts[place(segment.left)] ?? 0) + 1;
    ends[place(segment.right)] = (ends[place(segment.right)] ?? 0) + 1;
  }
  const found: { at: number; crossing: number; sides: number }[] = [];
  let begun = 0;
  let ended = 0;
  for (let at = 0; at < PLACES; at++) {
    const sides = Math.min(ended, segments.length - begun - (starts[at] ?? 0));
    begun += starts[at] ?? 0;
    if (sides >= MIN_LINES && at >= PLACES * MARGIN && at <= PLACES * (1 - MARGIN)) {
      found.push({ at, crossing: begun - ended, sides });
    }
    ended += ends[at] ?? 0;
  }
  found.sort((a, b) => a.crossing - b.crossing || b.sides - a.sides || a.at - b.at);
  return apart(found.map(({ at }) => at)).map((at) => left + (at + 0.5) * step);
}

/** The first few that are no neighbours of each other. */
function apart(places: readonly number[]): number[] {
  const chosen: number[] = [];
  for (const place of places) {
    if (chosen.length === TRIES) break;
    if (chosen.every((other) => Math.abs(other - place) > PLACES / 20)) chosen.push(place);
  }
  return chosen;
}

function extent(segments: readonly Segment[]): { left: number; right: number } {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (const segment of segments) {
    left = Math.min(left, segment.left);
    right = Math.max(right, segment.right);
  }
  return { left, right };
}
