/**
 * Numbers that look random and are the same in every run. Danger: another order of the same calls gives other vectors and
 * texts, so whatever draws has a source of its own.
 */

/** @returns a function that gives numbers from 0 up to 1 */
export function randomFrom(seed) {
  let state = (seed * 0x9e3779b9 + 1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** About normal, by the sum of four: quicker than the exact thing, and the tails are of no account here. */
export function normalFrom(random) {
  return () => (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

/** Draws a rank from 0 to `count` - 1, each about as often as 1 / (rank + 1) ^ exponent. */
export function zipfFrom(random, count, exponent) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1) ** exponent;
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
