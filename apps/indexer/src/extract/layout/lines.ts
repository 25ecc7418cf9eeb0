/**
 * Rows as lines of text in logical order, also where they are written from right to left. Danger: the parser gives
 * the characters inside a run in logical order, but runs lie where they are seen, so only the runs are ordered here.
 */
import { type SpreadTypes, spreadTypes, withoutSpreading } from './letter-spacing.ts';
import type { Line, Row, Run, Segment } from './model.ts';
import { marksWhatIsBefore, REACH, raisedText, withMarksApart } from './superscripts.ts';

/** Gap, in sizes, that is a space even where the file has none. */
const WORD_GAP = 0.12;
/** Gap, in sizes, that parts two things rather than two words; where letters are spread, words are far apart too. */
const WIDE_GAP = 1.5;
const WIDE_GAP_SPREAD = 3;

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/gu;
const LETTER = /\p{L}/gu;

function count(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/** Whether most letters of these texts are written from right to left. */
export function isRightToLeft(texts: Iterable<string>): boolean {
  let balance = 0;
  for (const text of texts) balance += 2 * count(RIGHT_TO_LEFT, text) - count(LETTER, text);
  return balance > 0;
}

/** @returns the row as one line; segments with a wide gap between them are parted by a tab */
export function lineOf(row: Row): Line {
  const runs = row.segments.flatMap((segment) => segment.runs);
  const leftward = isRightToLeft(runs.map(({ text }) => text));
  const segments = leftward ? row.segments.toReversed() : row.segments;
  const spread = spreadTypes(runs);
  const wideGap = spread.size > 0 ? WIDE_GAP_SPREAD : WIDE_GAP;
  let text = '';
  let parts = 0;
  let before: Segment | null = null;
  for (const segment of segments) {
    const gap = before === null ? 0 : Math.max(segment.left - before.right, before.left - segment.right);
    const wide = before === null || gap > wideGap * Math.max(segment.size, before.size);
    if (wide) parts++;
    if (before !== null) text += wide ? '\t' : ' ';
    text += textOf(segment.runs, spread);
    before = segment;
  }
  return { text, y: row.y, ...mainFont(runs), parts };
}

/** @param runs of one segment, from left to right */
function textOf(runs: readonly Run[], spread: SpreadTypes): string {
  const leftward = isRightToLeft(runs.map(({ text }) => text));
  const ordered = withoutSpreading(leftward ? logicalOrder(runs) : runs, spread);
  let text = '';
  /** The end of the text: all of it would be looked through again for each of its marks. */
  let end = '';
  let before: Run | null = null;
  for (const [at, run] of ordered.entries()) {
    const gap = before !== null && !marksWhatIsBefore(run, end) && isParted(before, run, leftward) ? ' ' : '';
    const added = run.raised ? raisedText(run, end + gap, nextTo(run, ordered[at + 1], leftward)) : run.text;
    text += gap + added;
    end = (end + gap + added).slice(-REACH);
    before = run;
  }
  return withMarksApart(text.replace(/ {2,}/g, ' ').trim());
}

/** What stands next to a run, as far as one character of it says: a space where they are parted. */
function nextTo(run: Run, next: Run | undefined, leftward: boolean): string {
  if (next === undefined) return '';
  return isParted(run, next, leftward) ? ' ' : next.text;
}

function isParted(before: Run, run: Run, leftward: boolean): boolean {
  if (run.spaced && (leftward || run.order === before.order + 1)) return true;
  const gap = Math.max(run.x - (before.x + before.width), before.x - (run.x + run.width));
  return gap > WORD_GAP * Math.min(before.size, run.size);
}

/** From right to left, but what is written from left to right (numbers, Latin words) in its own direction. */
function logicalOrder(runs: readonly Run[]): Run[] {
  const ordered: Run[] = [];
  let inner: Run[] = [];
  for (const run of runs.toReversed()) {
    if (count(RIGHT_TO_LEFT, run.text) === 0 && /[\p{L}\p{N}]/u.test(run.text)) {
      inner.push(run);
      continue;
    }
    // By a loop: there may be more of them than a call may have arguments.
    for (const each of inner.reverse()) ordered.push(each);
    ordered.push(run);
    inner = [];
  }
  return [...ordered, ...inner.reverse()];
}

function mainFont(runs: readonly Run[]): { size: number; font: string; oneFont: boolean } {
  const characters = new Map<string, { run: Run; length: number }>();
  for (const run of runs) {
    const key = `${run.font} ${run.size.toFixed(1)}`;
    const sum = characters.get(key) ?? { run, length: 0 };
    sum.length += run.text.length;
    characters.set(key, sum);
  }
  let main: { run: Run; length: number } | null = null;
  for (const sum of characters.values()) if (main === null || sum.length > main.length) main = sum;
  const font = main?.run.font ?? '';
  return { size: main?.run.size ?? 0, font, oneFont: runs.every((run) => run.font === font) };
}
