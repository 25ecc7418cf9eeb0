/**
 * From what a vault's own notes measure to the ceilings of its write gate. Pure. Danger: too high a ceiling has the gate ask
 * about everything, too low a one lets the same be filed twice; so it says what share of each kind a ceiling lets through.
 */

/** Values of one measure, lower is nearer: cosine distance, or FTS5's rank. */
export interface Samples {
  /** Of notes that have nothing to do with each other. */
  readonly far: readonly number[];
  /** Of each note and the nearest other one. */
  readonly near: readonly number[];
  /** Of the two halves of one note: they have a subject in common. */
  readonly same: readonly number[];
}

export type Series = keyof Samples;
export const SERIES: readonly Series[] = ['far', 'near', 'same'];

/** The share of each series that is at most the ceiling; null of an empty one. */
export type Admitted = Readonly<Record<Series, number | null>>;

/** Below which the share of a few notes says nothing about a vault. */
export const MIN_NOTES = 30;

/** Of pairs that have nothing to do with each other, one in 200 may pass. */
const FAR_DISTANCES = 0.005;
const SAME_DISTANCES = 0.95;
/** The far value of words is the twentieth note of each query: that of 100 queries, one lets twenty notes pass. */
const FAR_RANKS = 0.01;
const SAME_RANKS = 0.5;

/** Digits that a ceiling has: a next one would say nothing. And after the point: beyond them equal notes differ, too. */
const DIGITS = 2;
const MAX_DECIMALS = 4;

/** @returns null when there are too few to tell */
export function suggestDistance({ far, same }: Samples): number | null {
  const found = leastOf(far, FAR_DISTANCES, same, SAME_DISTANCES);
  return found === null ? null : Math.max(0, roundedDown(found));
}

/** @returns null when there are too few to tell, and where no word tells anything: a rank of 0 would admit all */
export function suggestRank({ far, same }: Samples): number | null {
  const found = leastOf(far, FAR_RANKS, same, SAME_RANKS);
  return found === null || found >= 0 ? null : roundedDown(found);
}

export function admittedBy(ceiling: number, samples: Samples): Admitted {
  const share = (values: readonly number[]) =>
    values.length === 0 ? null : values.filter((value) => value <= ceiling).length / values.length;
  return { far: share(samples.far), near: share(samples.near), same: share(samples.same) };
}

/** The lower of both; of `far` alone where too few notes have halves. */
function leastOf(far: readonly number[], farShare: number, same: readonly number[], sameShare: number): number | null {
  if (far.length < MIN_NOTES) return null;
  const high = quantile(far, farShare);
  return same.length < MIN_NOTES ? high : Math.min(high, quantile(same, sameShare));
}

/** The greatest value that no more than `share` of them are at or below; of few values, the least. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.floor(share * sorted.length) - 1)] as number;
}

/** To two digits, whatever the size: 0.1267 → 0.12, 0.00873 → 0.0087, -41.7 → -42. */
export function roundedDown(value: number): number {
  if (value === 0) return 0;
  const digits = Math.min(MAX_DECIMALS, DIGITS - 1 - Math.floor(Math.log10(Math.abs(value))));
  const scale = 10 ** Math.abs(digits);
  return digits >= 0 ? Math.floor(value * scale) / scale : Math.floor(value / scale) * scale;
}
