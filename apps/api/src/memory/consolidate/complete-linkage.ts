/**
 * Groups of items that are all near one another (complete linkage): none is in a group for being near to a member that is near
 * to others. Pure. The pairs that are near enough are given, so nothing is asked of those that are not; all pairs of 5 000
 * notes would be twelve million.
 *
 * Taken by growing distance, two groups are joined by the pair that is the last between them: then the largest distance from
 * one to the other is the smallest there is between any two groups, which is the method's rule for what is joined next. So
 * counting the pairs seen between two groups is all that it takes.
 */

/** Two different items; given once, whichever comes first. */
export interface NearPair {
  readonly a: number;
  readonly b: number;
  /** Not negative. */
  readonly distance: number;
}

/**
 * @param pairs all that are near enough, in any order; at most four million
 * @returns groups of two and more, each in growing order, by their first members
 */
export function completeLinkage(pairs: readonly NearPair[]): number[][] {
  const groups = new Groups();
  for (const { a, b } of byDistance(pairs)) groups.see(a, b);
  return groups.joined();
}

/**
 * Those of the smallest distance first, then by their items. A million pairs are sorted as numbers, each made of the distance in
 * 32 bits and the pair's position: comparing them by a function would take most of the time there is. Distances that are one
 * number in 32 bits are compared in full afterwards.
 */
function byDistance(pairs: readonly NearPair[]): NearPair[] {
  const count = pairs.length;
  const rounded = new Float32Array(1);
  // Of numbers that are not negative, the bits grow with the number.
  const bits = new Uint32Array(rounded.buffer);
  const keys = Float64Array.from(pairs, ({ distance }, at) => {
    rounded[0] = distance;
    return (bits[0] as number) * count + at;
  }).sort();
  const sorted: NearPair[] = [];
  for (let from = 0, to = 0; from < count; from = to) {
    const distance = Math.floor((keys[from] as number) / count);
    const alike: NearPair[] = [];
    for (; to < count && Math.floor((keys[to] as number) / count) === distance; to++) {
      alike.push(pairs[(keys[to] as number) - distance * count] as NearPair);
    }
    if (alike.length > 1) alike.sort((x, y) => x.distance - y.distance || x.a - y.a || x.b - y.b);
    for (const pair of alike) sorted.push(pair);
  }
  return sorted;
}

class Groups {
  readonly #members = new Map<number, number[]>();
  /** By item, the group that it is in, which is called by one of its members. */
  readonly #groupOf = new Map<number, number>();
  /** Pairs seen between two groups, from either. */
  readonly #seen = new Map<number, Map<number, number>>();

  see(a: number, b: number): void {
    const [one, other] = [this.#groupWith(a), this.#groupWith(b)];
    if (one === other) return;
    const count = (this.#seen.get(one)?.get(other) ?? 0) + 1;
    this.#seen.get(one)?.set(other, count);
    this.#seen.get(other)?.set(one, count);
    if (count === this.#sizeOf(one) * this.#sizeOf(other)) this.#join(one, other);
  }

  joined(): number[][] {
    const groups = [...this.#members.values()].filter((members) => members.length > 1);
    for (const members of groups) members.sort((x, y) => x - y);
    return groups.sort(([x = 0], [y = 0]) => x - y);
  }

  #groupWith(item: number): number {
    const group = this.#groupOf.get(item);
    if (group !== undefined) return group;
    this.#groupOf.set(item, item);
    this.#members.set(item, [item]);
    this.#seen.set(item, new Map());
    return item;
  }

  #sizeOf(group: number): number {
    return this.#members.get(group)?.length ?? 0;
  }

  /** The one with fewer neighbours goes into the other. */
  #join(one: number, other: number): void {
    const neighbours = (group: number) => this.#seen.get(group)?.size ?? 0;
    const [kept, gone] = neighbours(one) < neighbours(other) ? [other, one] : [one, other];
    for (const item of this.#members.get(gone) ?? []) {
      this.#groupOf.set(item, kept);
      this.#members.get(kept)?.push(item);
    }
    for (const [third, count] of this.#seen.get(gone) ?? []) {
      this.#seen.get(third)?.delete(gone);
      if (third === kept) continue;
      const both = (this.#seen.get(kept)?.get(third) ?? 0) + count;
      this.#seen.get(kept)?.set(third, both);
      this.#seen.get(third)?.set(kept, both);
    }
    this.#members.delete(gone);
    this.#seen.delete(gone);
  }
}
