/**
 * Text at places, for tests of layout without a PDF around it: characters are 5 points wide and 10 high. Danger: the order
 * of the file counts in layout, and is the order of the runs given.
 */
import { pagesAsMarkdown } from '../../apps/indexer/src/extract/layout/markdown.ts';
import type { Block, IsBold, PageLayout, Rule, Run } from '../../apps/indexer/src/extract/layout/model.ts';
import { layOut } from '../../apps/indexer/src/extract/layout/page-layout.ts';
import { rowsOf } from '../../apps/indexer/src/extract/layout/rows.ts';

/** The one font that is bold. */
export const BOLD = 'bold';

const isBold: IsBold = (font) => font === BOLD;

export interface Placed {
  readonly runs: readonly Run[];
  readonly rules?: readonly Rule[];
  /** 1-based; that of its place among the pages where it is not given. */
  readonly page?: number;
}

export function run(text: string, x: number, y: number, more: Partial<Run> = {}): Run {
  const width = text.length * (more.size ?? 10) * 0.5;
  return { text, x, y, width, size: 10, font: 'body', order: 0, spaced: false, endsLine: false, ...more };
}

export function numbered(runs: readonly Run[]): Run[] {
  return runs.map((each, order) => ({ ...each, order }));
}

export function blocksOn({ runs, rules = [] }: Placed): Block[] {
  const inOrder = numbered(runs);
  return layOut(rowsOf(inOrder), inOrder, rules, isBold);
}

/** @returns the text of each page */
export function markdownOf(pages: readonly Placed[]): string[] {
  const layouts = pages.map((placed, at): PageLayout => {
    return { page: placed.page ?? at + 1, blocks: blocksOn(placed), characters: 0 };
  });
  return pagesAsMarkdown(layouts, isBold).map(({ text }) => text);
}

/** Of one page. */
export function markdown(runs: readonly Run[], rules: readonly Rule[] = []): string {
  return markdownOf([{ runs, rules }])[0] ?? '';
}

/** The lines of a grid. */
export function grid(xs: readonly number[], ys: readonly number[]): Rule[] {
  const [left = 0, right = 0, top = 0, bottom = 0] = [xs[0], xs.at(-1), ys[0], ys.at(-1)];
  return [
    ...xs.map((x) => ({ left: x, right: x, top, bottom })),
    ...ys.map((y) => ({ left, right, top: y, bottom: y })),
  ];
}
