/**
 * A waiting line that keeps order inside each priority: one first-in-first-out bucket per priority, so that adding
 * and taking stay constant in time with 100 000 jobs waiting. Pure data structure.
 */

/** First in, first out, without moving what is left on every take. */
interface Bucket<T> {
  items: (T | undefined)[];
  /** Index of the next item to take. */
  head: number;
}

// Below this many taken slots compacting costs more than it frees.
const COMPACT_AFTER = 1_024;

export interface PriorityBuckets<T> {
  /** @param priority a small integer; lower is taken first */
  push(priority: number, item: T): void;
  /** The oldest item of the lowest priority number, or undefined when nothing waits. */
  take(): T | undefined;
  readonly size: number;
}

export function createPriorityBuckets<T>(): PriorityBuckets<T> {
  const buckets = new Map<number, Bucket<T>>();
  let order: number[] = [];
  let size = 0;

  function bucketFor(priority: number): Bucket<T> {
    let bucket = buckets.get(priority);
    if (!bucket) {
      bucket = { items: [], head: 0 };
      buckets.set(priority, bucket);
      order = [...buckets.keys()].sort((a, b) => a - b);
    }
    return bucket;
  }

  return {
    push(priority, item) {
      bucketFor(priority).items.push(item);
      size += 1;
    },
    take() {
      for (const priority of order) {
        const bucket = bucketFor(priority);
        if (bucket.head === bucket.items.length) continue;
        const item = bucket.items[bucket.head];
        bucket.items[bucket.head] = undefined;
        bucket.head += 1;
        size -= 1;
        compact(bucket);
        return item;
      }
      return undefined;
    },
    get size() {
      return size;
    },
  };
}

function compact<T>(bucket: Bucket<T>): void {
  if (bucket.head < bucket.items.length && (bucket.head < COMPACT_AFTER || bucket.head * 2 < bucket.items.length)) {
    return;
  }
  bucket.items = bucket.items.slice(bucket.head);
  bucket.head = 0;
}
