/**
 * The parser's text items as runs on an upright page. Danger: a page may be turned, may write its text sideways on
 * top of that, and may stamp something across it: only runs of the direction most of the text has are laid out, the
 * others keep the file's order.
 */
import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js';
import type { Rule, Run } from './model.ts';

type Matrix = readonly number[];

/** Quarter turns clockwise of the direction text runs in; `null` for any other, and for vertical writing. */
export type Direction = 0 | 1 | 2 | 3 | null;

export interface PlacedText {
  /** In `direction`, turned upright, in the file's order. */
  readonly runs: readonly Run[];
  readonly direction: Exclude<Direction, null>;
  /** In any other direction. */
  readonly others: readonly Run[];
}

const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const NON_BREAKING_HYPHEN = /\u2011/g;
/** Off the right angle by no more than this still is a scan laid a bit askew. Radians. */
const ASKEW = 0.17;
/** A raised or lowered run is this much smaller than its neighbour, … */
const RAISED_SIZE = 0.85;
/** … touches it but for this share of its size, and is off its baseline by no more than the second share. */
const RAISED_GAP = 0.35;
const RAISED_SHIFT = 0.6;
/** The number that begins a footnote may stand further off. */
const LEADING_GAP = 1;
/** Off the baseline by less than this share, it is only small. */
const LEVEL_SHIFT = 0.12;
const FOOTNOTE_NUMBER = /^\d{1,3}$/;

/** Characters that only differ in how lines may break at them are written as the plain ones, accents as one character. */
export function settled(text: string): string {
  return text.replace(SPACES, ' ').replace(NON_BREAKING_HYPHEN, '-').normalize('NFC');
}

export function placeText(content: TextContent, viewport: PageViewport): PlacedText {
  const all = readRuns(content, viewport);
  const direction = mainDirection(all);
  const runs: Run[] = [];
  const others: Run[] = [];
  for (const { run, direction: own } of all) {
    if (own === direction) runs.push({ ...run, ...turnedPoint(run.x, run.y, direction) });
    else others.push(run);
  }
  return { runs: onOneBaseline(runs), direction, others };
}

function readRuns(content: TextContent, viewport: PageViewport): { run: Run; direction: Direction }[] {
  const scale = Math.hypot(viewport.transform[0] ?? 1, viewport.transform[1] ?? 0);
  const found: { run: Run; direction: Direction }[] = [];
  let spaced = false;
  for (const item of content.items) {
    if (!('str' in item)) continue;
    const last = found.at(-1);
    if (item.str.trim() === '') {
      spaced ||= item.str !== '';
      if (item.hasEOL && last) last.run = { ...last.run, endsLine: true };
      continue;
    }
    const placed = multiply(viewport.transform, item.transform);
    const run = readRun(item, placed, scale, found.length, spaced);
    if (run) found.push({ run, direction: content.styles[item.fontName]?.vertical ? null : directionOf(placed) });
    spaced = false;
  }
  return found;
}

/** @returns null for text without a place or size, which shows nothing */
function readRun(item: TextItem, placed: Matrix, scale: number, order: number, spaced: boolean): Run | null {
  const [, , c = 0, d = 0, x = 0, y = 0] = placed;
  const size = Math.hypot(c, d);
  const width = Math.abs(item.width) * scale;
  if (![x, y, size, width].every(Number.isFinite) || size === 0) return null;
  const text = settled(item.str);
  return { text, x, y, width, size, font: item.fontName, order, spaced, endsLine: item.hasEOL };
}

function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

function directionOf(placed: Matrix): Direction {
  const angle = Math.atan2(placed[1] ?? 0, placed[0] ?? 1);
  const quarters = Math.round(angle / (Math.PI / 2));
  if (Math.abs(angle - quarters * (Math.PI / 2)) > ASKEW) return null;
  return ((quarters + 4) % 4) as Direction;
}

function mainDirection(all: readonly { run: Run; direction: Direction }[]): Exclude<Direction, null> {
  const characters = [0, 0, 0, 0];
  for (const { run, direction } of all) {
    if (direction !== null) characters[direction] = (characters[direction] ?? 0) + run.text.length;
  }
  return characters.indexOf(Math.max(...characters)) as Exclude<Direction, null>;
}

/** A point of the page as it lies when text of this direction is upright. */
export function turnedPoint(x: number, y: number, direction: Exclude<Direction, null>): { x: number; y: number } {
  switch (direction) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: -x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: -y, y: x };
  }
}

export function turnedRule(rule: Rule, direction: Exclude<Direction, null>): Rule {
  const one = turnedPoint(rule.left, rule.top, direction);
  const two = turnedPoint(rule.right, rule.bottom, direction);
  return {
    left: Math.min(one.x, two.x),
    top: Math.min(one.y, two.y),
    right: Math.max(one.x, two.x),
    bottom: Math.max(one.y, two.y),
  };
}

/** Raised and lowered marks (m², a footnote's number) stand on the baseline of the text they touch. */
function onOneBaseline(runs: readonly Run[]): Run[] {
  const level: Run[] = [];
  /** The last mark, as it stood. */
  let mark: Run | null = null;
  for (const run of runs) {
    const before = level.at(-1);
    if (before && mark && goesOn(mark, run)) {
      level.push({ ...run, y: before.y, ...raised(before.raised === true) });
      mark = run;
      continue;
    }
    mark = null;
    if (before && touches(before, run, RAISED_GAP) && run.size < before.size * RAISED_SIZE) {
      level.push({ ...run, y: before.y, ...raised(isAbove(run, before)) });
      mark = run;
      continue;
    }
    const gap = before && FOOTNOTE_NUMBER.test(before.text) ? LEADING_GAP : RAISED_GAP;
    if (before && touches(before, run, gap) && before.size < run.size * RAISED_SIZE) {
      level[level.length - 1] = { ...before, y: run.y, ...raised(before.raised === true || isAbove(before, run)) };
    }
    level.push(run);
  }
  return level;
}

function raised(isRaised: boolean): Pick<Run, 'raised'> {
  return isRaised ? { raised: true } : {};
}

function isAbove(mark: Run, text: Run): boolean {
  return text.y - mark.y > text.size * LEVEL_SHIFT;
}

/** A mark in several pieces (`1`, `,`, `2`). */
function goesOn(mark: Run, run: Run): boolean {
  const isLevel = Math.abs(run.y - mark.y) < LEVEL_SHIFT * mark.size;
  return isLevel && Math.abs(run.size - mark.size) < LEVEL_SHIFT * mark.size && touches(mark, run, RAISED_GAP);
}

function touches(before: Run, run: Run, share: number): boolean {
  const size = Math.max(before.size, run.size);
  const gap = run.x - (before.x + before.width);
  return gap > -size * RAISED_GAP && gap < size * share && Math.abs(run.y - before.y) < size * RAISED_SHIFT;
}
