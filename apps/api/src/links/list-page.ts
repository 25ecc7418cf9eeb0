/**
 * Pages of several lists that are asked for with one cursor. Pure. Danger: files come and go between two pages, so a mark
 * names the last entry shown, never a position, and a list that has ended stays ended.
 */

/** List → the key of its last entry shown; null when it has ended; absent: not begun. */
export type Marks = Readonly<Record<string, string | null>>;

/** Where to go on, and with how many entries of each list. */
export interface PageRequest {
  readonly marks: Marks;
  readonly limit: number;
}

export interface ListPage<T> {
  readonly shown: readonly T[];
  /** Entries of the whole list. */
  readonly all: number;
  /** For the next page. */
  readonly mark: string | null;
}

/**
 * @param items in the order of their keys, by code unit
 * @param after the list's mark, or undefined to begin
 */
export function pageAfter<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  after: string | null | undefined,
  limit: number,
): ListPage<T> {
  if (after === null) return { shown: [], all: items.length, mark: null };
  const start = after === undefined ? 0 : firstAfter(items, keyOf, after);
  const shown = items.slice(start, start + limit);
  const last = shown.at(-1);
  const goesOn = last !== undefined && start + shown.length < items.length;
  return { shown, all: items.length, mark: goesOn ? keyOf(last) : null };
}

/** Where the keys above one begin. Made of few keys, since a page is far less than a list and a key may be long. */
function firstAfter<T>(items: readonly T[], keyOf: (item: T) => string, after: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) > after) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** @returns null when every list has ended */
export function nextMarks(pages: Readonly<Record<string, ListPage<unknown>>>): Marks | null {
  const marks = Object.fromEntries(Object.entries(pages).map(([name, { mark }]) => [name, mark]));
  return Object.values(marks).some((mark) => mark !== null) ? marks : null;
}

/** A number as a key: keys order as the numbers do. */
export function numberKey(value: number): string {
  return String(value).padStart(10, '0');
}
