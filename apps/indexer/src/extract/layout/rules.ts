/**
 * The straight lines a page draws: strokes, sides of rectangles, and rectangles so thin that they are lines. Danger: a
 * map or a drawing has hundreds of thousands of them, so they are counted before they are kept.
 */
import { OPS, type PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import type { Rule } from './model.ts';
import { type Matrix, placedOperators } from './placed-operators.ts';

/** A page that draws more lines than this is a drawing; no table is looked for. */
const MAX_RULES = 20_000;
/** A filled rectangle this thin is a line; so is a stroke this close to upright or level. Points. */
const THIN = 2.5;
/** Shorter ones frame no cell. Points. */
const SHORT = 4;

/** The parser's own numbers for the parts of a path. */
const MOVE = 0;
const LINE = 1;
const CURVE = 2;
const CLOSE = 3;

const STROKES = new Set<unknown>([
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
]);
const FILLS = new Set<unknown>([OPS.fill, OPS.eoFill]);

/** @returns the lines in the viewport's coordinates; null for a drawing */
export function rulesOf(operators: PDFOperatorList, viewport: PageViewport): Rule[] | null {
  const rules: Rule[] = [];
  for (const { operator, args, matrix } of placedOperators(operators, viewport)) {
    if (operator === OPS.constructPath) addPath(args, matrix, rules);
    if (rules.length > MAX_RULES) return null;
  }
  return rules;
}

/** @param args what is done with the path, and the path: numbers, each part's kind before its points */
function addPath([paint, data]: unknown[], matrix: Matrix, rules: Rule[]): void {
  const path = (data as (ArrayLike<number> | null)[] | undefined)?.[0];
  if (!path) return;
  if (STROKES.has(paint)) {
    for (const polygon of polygons(path, matrix)) addSides(polygon, rules);
  } else if (FILLS.has(paint)) {
    for (const polygon of polygons(path, matrix)) addThin(polygon, rules);
  }
}

type Point = readonly [x: number, y: number];

/** The points of each part of a path that consists of straight lines, up to where a drawing begins. */
function* polygons(path: ArrayLike<number>, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Generator<Point[]> {
  let points: Point[] = [];
  const pointAt = (at: number): Point => {
    const [x, y] = [path[at] ?? 0, path[at + 1] ?? 0];
    return [a * x + c * y + e, b * x + d * y + f];
  };
  for (let at = 0; at < path.length; ) {
    const kind = path[at++];
    if (kind === MOVE) {
      yield points;
      points = [pointAt(at)];
      at += 2;
    } else if (kind === LINE) {
      points.push(pointAt(at));
      at += 2;
    } else if (kind === CURVE) {
      yield points;
      points = [pointAt(at + 4)];
      at += 6;
    } else if (kind === CLOSE && points[0]) points.push(points[0]);
    // An unknown kind: where its points end is not known either.
    else if (kind !== CLOSE) break;
  }
  yield points;
}

function addSides(points: readonly Point[], rules: Rule[]): void {
  for (let at = 1; at < points.length && rules.length <= MAX_RULES; at++) {
    const [from, to] = [points[at - 1], points[at]];
    if (from && to) addRule([from, to], rules);
  }
}

/** The four corners of a bar are one line. */
function addThin(points: readonly Point[], rules: Rule[]): void {
  if (points.length >= 4 && points.length <= 5) addRule(points, rules);
}

function addRule(points: readonly Point[], rules: Rule[]): void {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const rule = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  const [width, height] = [rule.right - rule.left, rule.bottom - rule.top];
  if (Math.min(width, height) <= THIN && Math.max(width, height) >= SHORT) rules.push(rule);
}
