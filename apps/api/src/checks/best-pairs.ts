/**
 * The most alike of many pairs, however many there are. Pure. Danger: a thousand equal notes are half a million pairs, so all
 * but the best are let go; once one of those that were kept is taken away, what was let go may be missed (`isShort`).
 */

export interface NearPair {
  /** The first of the two by path. */
  readonly a: string;
  readonly b: string;
  /** Cosine, at most 1. */
  readonly similarity: number;
}

export class BestPairs {
  /** Of these, what is behind the floor is let go when there are twice as many. */
  readonly #room: number;
  #pairs: NearPair[] = [];
  /** The last that was kept when others were let go: nothing behind it is kept from then on. */
  #floor: NearPair | null = null;

  /** @param room how many are kept */
  constructor(room: number) {
    this.#room = room;
  }

  offer(one: string, other: string, similarity: number): void {
    const floor = this.#floor;
    // First of all, and without making a pair: of equal notes nearly every offer ends here.
    if (floor !== null && similarity < floor.similarity) return;
    const pair = one < other ? { a: one, b: other, similarity } : { a: other, b: one, similarity };
    if (floor !== null && inOrder(pair, floor) > 0) return;
    this.#pairs.push(pair);
    if (this.#pairs.length >= 2 * this.#room) this.#cut();
  }

  /** Takes away the pairs of these paths. */
  forget(paths: ReadonlySet<string>): void {
    this.#pairs = this.#pairs.filter(({ a, b }) => !paths.has(a) && !paths.has(b));
  }

  clear(): void {
    this.#pairs = [];
    this.#floor = null;
  }

  /** Whether some that were let go belong to the first `count` of all by now. */
  isShort(count: number): boolean {
    return this.#floor !== null && this.#pairs.length < count;
  }

  /** The first of them, the most alike first, then by path. */
  first(count: number): NearPair[] {
    this.#pairs.sort(inOrder);
    return this.#pairs.slice(0, count);
  }

  #cut(): void {
    this.#pairs.sort(inOrder);
    this.#pairs.length = this.#room;
    this.#floor = this.#pairs.at(-1) ?? null;
  }
}

function inOrder(x: NearPair, y: NearPair): number {
  return y.similarity - x.similarity || compared(x.a, y.a) || compared(x.b, y.b);
}

function compared(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
