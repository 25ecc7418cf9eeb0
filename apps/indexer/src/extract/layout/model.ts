/**
 * The shapes a page goes through on its way from placed text to markdown. All coordinates are points of the upright
 * page: x to the right, y downwards, y of text its baseline. Danger: every number comes from a stranger's file; none of
 * them is a size to allocate by.
 */

/** A piece of text that the page places as a whole. */
export interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  /** The parser's name of the font, the same on every page. */
  readonly font: string;
  /** Position in the file's order; a form's value stands half a step behind its label. */
  readonly order: number;
  /** The file has white space between the run before and this one. */
  readonly spaced: boolean;
  /** The file's order breaks the line after it. */
  readonly endsLine: boolean;
  /** It stood above the baseline of the text it touches, as a footnote's number does; `y` is that of the text. */
  readonly raised?: boolean;
}

/** A horizontal or vertical stroke. */
export interface Rule {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Table {
  readonly box: Rule;
  /** Row by row; every row has as many cells; what a cell spans besides its first place is empty. */
  readonly cells: readonly (readonly string[])[];
  /** Left edges of the columns. */
  readonly lefts: readonly number[];
  /** Its first row is all in bold, and not every other one is. */
  readonly isHeaded: boolean;
}

/** What stands together on one row, without a gap that could part columns or cells. */
export interface Segment {
  readonly left: number;
  readonly right: number;
  readonly size: number;
  readonly order: number;
  readonly runs: readonly Run[];
  readonly table: Table | null;
}

/** What shares a baseline. */
export interface Row {
  readonly y: number;
  /** From left to right. */
  readonly segments: readonly Segment[];
}

/** One line of one column, in logical order. */
export interface Line {
  readonly text: string;
  readonly y: number;
  /** Of most of its characters. */
  readonly size: number;
  readonly font: string;
  /** All of it is in `font`. */
  readonly oneFont: boolean;
  /** How many parts with wide gaps between them. */
  readonly parts: number;
}

/** Lines that belong together, or a table. */
export type Block = { readonly lines: readonly Line[] } | { readonly table: Table };

export interface PageLayout {
  readonly page: number;
  /** In reading order. */
  readonly blocks: readonly Block[];
  /** Characters of text as the page places them. */
  readonly characters: number;
}

/** Whether a font, by the parser's name for it, is known to be bold. */
export type IsBold = (font: string) => boolean;
