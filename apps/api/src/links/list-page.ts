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
  const found = after === undefined ? 0 : items.findIndex((item) => keyOf(item) > after);
  const start = found === -1 ? items.length : found;
  const shown = items.slice(start, start + limit);
  const last = shown.at(-1);
  const goesOn = last !== undefined && start + shown.length < items.length;
  return { shown, all: items.length, mark: goesOn ? keyOf(last) : null };
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
