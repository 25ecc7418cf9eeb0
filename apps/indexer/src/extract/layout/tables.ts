/**
 * Ruled tables: lines that cross make a grid, the text inside is its cells. Danger: frames, boxes and forms are grids
 * too, so what holds no text in several rows and columns is left as text; and the grid's size comes from the
 * file, so it is capped before anything is laid out by it.
 */
import { lineOf } from './lines.ts';
import type { IsBold, Rule, Run, Table } from './model.ts';
import { rowsOf } from './rows.ts';

/** Lines closer than this are one; ends that miss by no more meet. Points. */
const TOLERANCE = 2.5;
/** Lines of a page after joining: above it is a drawing. */
const MAX_JOINED = 2_000;
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 60;
/** A cell with more text than this is a framed page. */
const MAX_CELL = 2_000;

interface Grid {
  /** Places of the lines, ascending. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly upright: readonly Rule[];
  readonly level: readonly Rule[];
}

/** @returns the tables, and the runs that stand in none of them */
export function tablesOf(
  rules: readonly Rule[],
  runs: readonly Run[],
  isBold: IsBold,
): { tables: Table[]; rest: readonly Run[] } {
  const tables: Table[] = [];
  let rest = runs;
  for (const grid of gridsOf(rules)) {
    const box = boxOf(grid);
    const inside = rest.filter((run) => isInside(run, box));
    const table = tableOf(grid, inside, isBold);
    if (table === null) continue;
    tables.push(table);
    const taken = new Set(inside);
    rest = rest.filter((run) => !taken.has(run));
  }
  return { tables, rest };
}

function gridsOf(rules: readonly Rule[]): Grid[] {
  const upright = joined(rules.filter(isUpright), uprightAxes);
  const level = joined(
    rules.filter((rule) => !isUpright(rule)),
    levelAxes,
  );
  if (upright.length + level.length > MAX_JOINED) return [];
  const grids: Grid[] = [];
  for (const group of connected(upright, level)) {
    const xs = places(group.upright.map(({ left, right }) => (left + right) / 2));
    const ys = places(group.level.map(({ top, bottom }) => (top + bottom) / 2));
    const [columns, rows] = [xs.length - 1, ys.length - 1];
    if (columns < 2 || rows < 2 || columns > MAX_COLUMNS || rows > MAX_ROWS) continue;
    grids.push({ xs, ys, ...group });
  }
  return grids.sort((a, b) => (a.ys[0] ?? 0) - (b.ys[0] ?? 0));
}

function isUpright({ left, right, top, bottom }: Rule): boolean {
  return bottom - top > right - left;
}

interface Axes {
  /** Where the line is. */
  readonly across: (rule: Rule) => number;
  readonly from: (rule: Rule) => number;
  readonly to: (rule: Rule) => number;
}
const uprightAxes: Axes = { across: ({ left }) => left, from: ({ top }) => top, to: ({ bottom }) => bottom };
const levelAxes: Axes = { across: ({ top }) => top, from: ({ left }) => left, to: ({ right }) => right };

/** Pieces of one line, as cells drawn one by one leave them, in one. */
function joined(rules: readonly Rule[], { across, from, to }: Axes): Rule[] {
  const lanes: Rule[][] = [];
  for (const rule of rules.toSorted((a, b) => across(a) - across(b))) {
    const lane = lanes.at(-1);
    const first = lane?.[0];
    if (lane && first && across(rule) - across(first) <= TOLERANCE) lane.push(rule);
    else lanes.push([rule]);
  }
  const whole: Rule[] = [];
  for (const lane of lanes) {
    let open: Rule | null = null;
    for (const rule of lane.sort((a, b) => from(a) - from(b))) {
      if (open && from(rule) - to(open) <= TOLERANCE) open = around(open, rule);
      else {
        if (open) whole.push(open);
        open = rule;
      }
    }
    if (open) whole.push(open);
  }
  return whole;
}

function around(one: Rule, two: Rule): Rule {
  return {
    left: Math.min(one.left, two.left),
    top: Math.min(one.top, two.top),
    right: Math.max(one.right, two.right),
    bottom: Math.max(one.bottom, two.bottom),
  };
}

/** Lines that meet, directly or over others. */
function connected(upright: readonly Rule[], level: readonly Rule[]): { upright: Rule[]; level: Rule[] }[] {
  const groups: { upright: Rule[]; level: Rule[] }[] = [];
  const left = { upright: new Set(upright), level: new Set(level) };
  for (const first of upright) {
    if (!left.upright.delete(first)) continue;
    const group = { upright: [first], level: [] as Rule[] };
    let [seenUpright, seenLevel] = [0, 0];
    while (seenUpright < group.upright.length || seenLevel < group.level.length) {
      const line = group.upright[seenUpright];
      if (line) {
        seenUpright++;
        move(left.level, group.level, (other) => meet(line, other));
      } else {
        const other = group.level[seenLevel++];
        if (other) move(left.upright, group.upright, (candidate) => meet(candidate, other));
      }
    }
    groups.push(group);
  }
  return groups;
}

function move(from: Set<Rule>, to: Rule[], which: (rule: Rule) => boolean): void {
  for (const rule of from) {
    if (!which(rule)) continue;
    from.delete(rule);
    to.push(rule);
  }
}

function meet(one: Rule, two: Rule): boolean {
  return (
    one.left <= two.right + TOLERANCE &&
    two.left <= one.right + TOLERANCE &&
    one.top <= two.bottom + TOLERANCE &&
    two.top <= one.bottom + TOLERANCE
  );
}

function places(values: readonly number[]): number[] {
  const found: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (value - (found.at(-1) ?? Number.NEGATIVE_INFINITY) > TOLERANCE) found.push(value);
  }
  return found;
}

function boxOf({ xs, ys }: Grid): Rule {
  return { left: xs[0] ?? 0, top: ys[0] ?? 0, right: xs.at(-1) ?? 0, bottom: ys.at(-1) ?? 0 };
}

/** By the middle of its lower half: a baseline may stand on a line. */
function middleOf(run: Run): { x: number; y: number } {
  return { x: run.x + Math.min(run.width, run.size) / 2, y: run.y - run.size * 0.3 };
}

function isInside(run: Run, box: Rule): boolean {
  const { x, y } = middleOf(run);
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** @returns null when the grid is no table */
function tableOf(grid: Grid, runs: readonly Run[], isBold: IsBold): Table | null {
  const [columns, rows] = [grid.xs.length - 1, grid.ys.length - 1];
  const contents = cellContents(grid, cellOwners(grid, columns, rows), runs);
  if (contents === null) return null;
  const cells = Array.from({ length: rows }, () => new Array<string>(columns).fill(''));
  const plain = new Set<number>();
  for (const [cell, content] of contents) {
    if (!content.every(({ font }) => isBold(font))) plain.add(Math.floor(cell / columns));
    const text = rowsOf(content)
      .map((row) => lineOf(row).text.replaceAll('\t', ' '))
      .join('\n');
    if (text.length > MAX_CELL) return null;
    const row = cells[Math.floor(cell / columns)];
    if (row) row[cell % columns] = text;
  }
  return asTable(grid, cells, plain);
}

/**
 * The runs of each cell, by its place; null where one has more text than a cell has. That is told before the text is put
 * together, since frames around frames would have all of it each time; at twice the length, since text may be drawn twice.
 */
function cellContents({ xs, ys }: Grid, owners: Int32Array, runs: readonly Run[]): Map<number, Run[]> | null {
  const contents = new Map<number, Run[]>();
  const characters = new Int32Array(owners.length);
  for (const run of runs) {
    const { x, y } = middleOf(run);
    const cell = owners[slot(ys, y) * (xs.length - 1) + slot(xs, x)] ?? 0;
    const content = contents.get(cell);
    if (content) content.push(run);
    else contents.set(cell, [run]);
    characters[cell] = (characters[cell] ?? 0) + run.text.length;
    if ((characters[cell] ?? 0) > 2 * MAX_CELL) return null;
  }
  return contents;
}

/** For each place of the grid the first place of the cell that it belongs to: where no line parts two, they are one. */
function cellOwners(grid: Grid, columns: number, rows: number): Int32Array {
  const left = walls(grid.upright, uprightAxes, grid.xs, grid.ys);
  const above = walls(grid.level, levelAxes, grid.ys, grid.xs);
  const owners = new Int32Array(rows * columns);
  for (let at = 0; at < owners.length; at++) {
    const [row, column] = [Math.floor(at / columns), at % columns];
    if (column > 0 && !left.has(column * rows + row)) owners[at] = owners[at - 1] ?? at;
    else if (row > 0 && !above.has(row * columns + column)) owners[at] = owners[at - columns] ?? at;
    else owners[at] = at;
  }
  return owners;
}

/**
 * Which sides of cells are drawn.
 * @param across places of such lines @param along places of the lines that cross them
 * @returns line × number of spaces along it + space, for each space that a line covers
 */
function walls(rules: readonly Rule[], axes: Axes, across: readonly number[], along: readonly number[]): Set<number> {
  const spaces = along.length - 1;
  const drawn = new Set<number>();
  for (const rule of rules) {
    const line = nearest(across, axes.across(rule));
    for (let space = 0; space < spaces; space++) {
      const middle = ((along[space] ?? 0) + (along[space + 1] ?? 0)) / 2;
      if (axes.from(rule) <= middle && axes.to(rule) >= middle) drawn.add(line * spaces + space);
    }
  }
  return drawn;
}

/** The space between two lines that a place is in. */
function slot(lines: readonly number[], place: number): number {
  let [low, high] = [0, lines.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function nearest(lines: readonly number[], place: number): number {
  const before = slot(lines, place);
  const [near, far] = [lines[before] ?? 0, lines[before + 1] ?? Number.POSITIVE_INFINITY];
  return place - near <= far - place ? before : before + 1;
}

/**
 * Rows and columns without any text are left out; text in two of each has to remain.
 * @param plain rows that are not all in bold
 */
function asTable(grid: Grid, cells: readonly string[][], plain: ReadonlySet<number>): Table | null {
  const kept = [...cells.keys()].filter((row) => cells[row]?.some((cell) => cell !== ''));
  const rows = kept.map((row) => cells[row] ?? []);
  const filled = (rows[0] ?? []).map((_, column) => rows.some((row) => row[column] !== ''));
  if (rows.length < 2 || filled.filter(Boolean).length < 2) return null;
  return {
    box: boxOf(grid),
    cells: rows.map((row) => row.filter((_, column) => filled[column])),
    lefts: grid.xs.filter((_, column) => filled[column]),
    isHeaded: plain.size > 0 && !plain.has(kept[0] ?? 0),
  };
}
