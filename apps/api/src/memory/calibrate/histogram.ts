/**
 * Samples side by side as text: how far apart the near and the far are, and where a ceiling cuts. Pure. Danger: one stray
 * value must not press all others into a single line, so the ends take in what lies beyond.
 */
import { type Samples, SERIES, type Series } from './suggest.ts';

export interface Bin {
  /** From, and up to: the last one's end is in it. */
  readonly from: number;
  readonly to: number;
  readonly count: Readonly<Record<Series, number>>;
}

const BINS = 20;
const BAR = 16;
/** Shares of the values that lie beyond either end. */
const BEYOND = 0.001;

/** @returns nothing without values, one bin where all are equal */
export function binsOf(samples: Samples): Bin[] {
  const all = SERIES.flatMap((name) => samples[name]);
  if (all.length === 0) return [];
  const sorted = all.toSorted((a, b) => a - b);
  const from = sorted[Math.floor(BEYOND * (all.length - 1))] as number;
  const to = sorted[Math.ceil((1 - BEYOND) * (all.length - 1))] as number;
  const bins = to > from ? BINS : 1;
  const width = (to - from) / bins;
  const binOf = (value: number) =>
    width === 0 ? 0 : Math.min(bins - 1, Math.max(0, Math.floor((value - from) / width)));
  const counts = Array.from({ length: bins }, () => ({ far: 0, near: 0, same: 0 }));
  for (const name of SERIES) for (const value of samples[name]) (counts[binOf(value)] as Counts)[name] += 1;
  return counts.map((count, i) => ({
    from: from + i * width,
    to: i === bins - 1 ? to : from + (i + 1) * width,
    count,
  }));
}

type Counts = Record<Series, number>;

/**
 * One line a bin, a bar for each series by its share of that series, and a line where the ceiling is.
 * @param digits after the point
 */
export function histogramLines(bins: readonly Bin[], ceiling: number | null, digits: number): string[] {
  const labels = bins.map(({ from, to }) => `${from.toFixed(digits)} to ${to.toFixed(digits)}`);
  const left = Math.max(0, ...labels.map(({ length }) => length));
  const most = Object.fromEntries(
    SERIES.map((name) => [name, Math.max(1, ...bins.map(({ count }) => count[name]))]),
  ) as Counts;
  const lines = [`${' '.repeat(left)}  ${SERIES.map((name) => name.padEnd(BAR)).join('  ')}`.trimEnd()];
  const cut = ceiling === null ? -1 : bins.findLastIndex(({ from }) => from <= ceiling);
  for (const [i, { count }] of bins.entries()) {
    const bars = SERIES.map((name) => barOf(count[name], most[name]).padEnd(BAR)).join('  ');
    const mark = i === cut ? '  < ceiling' : '';
    lines.push(`${(labels[i] as string).padStart(left)}  ${bars}${mark}`.trimEnd());
  }
  return lines;
}

/** As long as its share of the longest; what is there at all shows. */
function barOf(count: number, most: number): string {
  return '#'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR)));
}
