/** The first few of many without sorting them all: what somebody may have meant can be ten thousand files of one name. Pure. */

/** @param compare as for sorting */
export function firstFew<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  const few: T[] = [];
  for (const item of items) {
    const last = few.at(-1);
    if (few.length >= count && (last === undefined || compare(item, last) >= 0)) continue;
    let at = few.length;
    while (at > 0 && compare(item, few[at - 1] as T) < 0) at--;
    few.splice(at, 0, item);
    if (few.length > count) few.pop();
  }
  return few;
}
