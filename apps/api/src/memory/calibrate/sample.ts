/**
 * Which notes, and which pairs of them, stand for a whole vault. Pure. Danger: a sample that another run draws otherwise gives
 * another ceiling for the same vault, so chance has no part in it: all order comes of hashes.
 */
import { createHash } from 'node:crypto';

/** In an order that has nothing to do with names, and is the same each time. */
export function shuffled(paths: readonly string[]): string[] {
  return paths
    .map((path) => ({ path, key: createHash('sha256').update(path).digest('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ path }) => path);
}

/**
 * Pairs of different members of `0 … size - 1`, each at most once: all there are, or else `count` of them.
 */
export function samplePairs(size: number, count: number): [number, number][] {
  const all = (size * (size - 1)) / 2;
  const pairs: [number, number][] = [];
  if (all <= count) {
    for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) pairs.push([a, b]);
    return pairs;
  }
  // Steps of one length over the members in a circle, one length after another: a member comes as often as any other, but
  // for one, and no pair comes twice as long as no step is longer than half the circle.
  for (let step = 1; pairs.length < count; step++) {
    for (let a = 0; a < size && pairs.length < count; a++) pairs.push([a, (a + step) % size]);
  }
  return pairs;
}

/**
 * Where a row of sizes falls into two halves of about the same sum, neither of them empty.
 * @param mayPart whether the first half may be of so many
 * @returns how many belong to the first; null where it can be parted nowhere
 */
export function halfOf(sizes: readonly number[], mayPart: (count: number) => boolean): number | null {
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let count = 1; count < sizes.length; count++) {
    before += sizes[count - 1] ?? 0;
    const off = Math.abs(whole - 2 * before);
    if (off < least && mayPart(count)) [best, least] = [count, off];
  }
  return best;
}
