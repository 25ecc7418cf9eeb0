/**
 * Files that wait to be looked at, a few at a time and in the order they came. It is held in memory on purpose: whoever
 * finds them is the only one who may look at them, and the next start finds again what a kill cut short. Danger: nothing
 * else remembers them, so whatever is dropped here has to be met again by a reconcile.
 */
export interface Backlog {
  /**
   * Does nothing for a path that waits already. One that is being looked at is looked at again when that look has ended:
   * it may have changed, and a second place would only stand waiting for the first.
   */
  add(path: string): void;
  /** Forgets what waits: whoever drops it has it met again. */
  drop(): void;
  /** Resolves when nothing waits and nothing is being looked at. */
  idle(): Promise<void>;
  /** Drops what waits and takes no more. */
  stop(): void;
}

/**
 * @param places files looked at at a time
 * @param lookAt must not reject
 */
export function createBacklog(places: number, lookAt: (path: string) => Promise<void>): Backlog {
  return new PathBacklog(places, lookAt);
}

class PathBacklog implements Backlog {
  readonly #places: number;
  readonly #lookAt: (path: string) => Promise<void>;
  readonly #waiting = new Set<string>();
  /** Kept from one path to the next: beginning anew, a Set steps over everything that was taken out of it. */
  #order = this.#waiting.values();
  readonly #inHand = new Map<string, Promise<void>>();
  /** Came while they were being looked at. */
  readonly #again = new Set<string>();
  #stopped = false;

  constructor(places: number, lookAt: (path: string) => Promise<void>) {
    this.#places = places;
    this.#lookAt = lookAt;
  }

  add(path: string): void {
    if (this.#stopped) return;
    if (this.#inHand.has(path)) {
      this.#again.add(path);
      return;
    }
    this.#waiting.add(path);
    if (this.#inHand.size < this.#places) this.#take();
  }

  async idle(): Promise<void> {
    while (this.#inHand.size > 0) await Promise.all(this.#inHand.values());
  }

  stop(): void {
    this.#stopped = true;
    this.drop();
  }

  drop(): void {
    this.#waiting.clear();
    this.#again.clear();
  }

  #take(): void {
    const path = this.#first();
    if (path === undefined) return;
    this.#waiting.delete(path);
    const look = this.#lookAt(path).finally(() => {
      this.#inHand.delete(path);
      if (this.#again.delete(path)) this.#waiting.add(path);
      // In the same turn: `idle` must not see a moment without any.
      this.#take();
    });
    this.#inHand.set(path, look);
  }

  #first(): string | undefined {
    if (this.#waiting.size === 0) return undefined;
    let next = this.#order.next();
    // An iterator that has come to its end once stays there.
    if (next.done) {
      this.#order = this.#waiting.values();
      next = this.#order.next();
    }
    return next.value;
  }
}
