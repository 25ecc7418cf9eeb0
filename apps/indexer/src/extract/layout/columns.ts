/**
 * The order in which a page is read: columns one after the other, what spans them in its place. Danger: a table without
 * rules looks like columns, and read down instead of across it means something else; so both sides have to look
 * like prose or be written one after the other in the file, else rows stay whole.
 */
import type { Row, Segment } from './model.ts';
import { apartFromEdges, hasBothSides } from './page-edges.ts';

/** Lines each side of a gutter needs. */
const MIN_LINES = 3;
/** Width, in sizes, of a middling line on each side; a sidebar's may be narrower. */
const MIN_WIDTH = 5;
/** A sidebar's middling step from line to line, in sizes, is no longer: those of dates or terms beside entries are. */
const SIDEBAR_STEP = 2;
/** The width of a middling line where the file's order goes across the gutter, … */
const PROSE_WIDTH = 15;
/** … with as many lines at least, … */
const PROSE_LINES = 6;
/** … and this share of the widest line. */
const PROSE_FILL = 0.8;
/** Crossings of the gutter in the file's order, by lines of the shorter side, up to which it goes down the columns. */
const ACROSS = 0.34;
/** The outer share of the width, on either side, where no gutter is looked for, … */
const MARGIN = 0.12;
/** … and where not even a sidebar's is, whose turn comes last: what list marks leave is in between. */
const SIDEBAR_MARGIN = 0.03;
const WORD = /\p{L}{2}/u;
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
  const addSides = (sides: readonly (readonly Row[])[]): void => {
    for (const side of rightToLeft ? sides.toReversed() : sides) {
      for (const part of readingOrder(side, rightToLeft, depth + 1)) parts.push([...part]);
    }
  };
  const addEdge = (edge: readonly Row[]): void => {
    if (edge.length > 1 && hasBothSides(edge, gutter)) addSides(sidesOf(edge, gutter));
    else parts.push([...edge]);
  };
  for (const band of bandsAround(gutter, rows)) {
    const { heads, body, feet } = apartFromEdges(band, gutter);
    const [left, right] = sidesOf(body, gutter);
    if (!areColumns(left, right)) {
      whole = whole.length > 0 ? whole.concat(band) : band;
      continue;
    }
    isParted = true;
    if (whole.length > 0) parts.push(whole);
    whole = [];
    for (const edge of heads) addEdge(edge);
    addSides([left, right]);
    for (const edge of feet) addEdge(edge);
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

function sidesOf(rows: readonly Row[], gutter: number): [left: Row[], right: Row[]] {
  return [sideOf(rows, ({ right }) => right <= gutter), sideOf(rows, ({ right }) => right > gutter)];
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
  const isNarrow = middles.some((middle) => middle < MIN_WIDTH);
  if (isNarrow && !isBesideSidebar([left, right], middles)) return false;
  if (switchesBetween(left, right) <= lines * ACROSS) return true;
  if (isNarrow || lines < PROSE_LINES) return false;
  return middles.every((middle, at) => middle >= PROSE_WIDTH && middle >= PROSE_FILL * (widths[at]?.at(-1) ?? 0));
}

/** Whether the narrow side is words, line under line, and the other as wide as prose: else a column of a table is torn off. */
function isBesideSidebar(sides: readonly (readonly Row[])[], middles: readonly number[]): boolean {
  if (Math.max(...middles) < PROSE_WIDTH) return false;
  return sides.every((rows, at) => {
    if ((middles[at] ?? 0) >= MIN_WIDTH) return true;
    const steps = rows.slice(1).map(({ y }, before) => y - (rows[before]?.y ?? 0));
    const step = steps.sort((a, b) => a - b)[steps.length >> 1] ?? 0;
    const worded = rows.filter(({ segments }) => segments.some(({ runs }) => runs.some(({ text }) => WORD.test(text))));
    return worded.length > rows.length / 2 && step <= SIDEBAR_STEP * (rows[0]?.segments[0]?.size ?? 0);
  });
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
    if (sides >= MIN_LINES) found.push({ at, crossing: begun - ended, sides });
    ended += ends[at] ?? 0;
  }
  found.sort((a, b) => a.crossing - b.crossing || b.sides - a.sides || a.at - b.at);
  const within = (margin: number) => found.flatMap(({ at }) => (isWithin(at, margin) ? [at] : []));
  const inner = apart(within(MARGIN));
  const outer = apart(within(SIDEBAR_MARGIN).filter((at) => !isWithin(at, MARGIN)));
  return [...inner, ...outer].map((at) => left + (at + 0.5) * step);
}

function isWithin(place: number, margin: number): boolean {
  return place >= PLACES * margin && place <= PLACES * (1 - margin);
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
