/** Which known name somebody meant who wrote another. Pure. A guess that is far off would mislead, so it is withheld. */
import { closest, distance } from 'fastest-levenshtein';

/** @returns the nearest of `known` if it is near: two slips, or half of a long name's letters; else undefined */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  // Distance is quadratic in length, and no parameter's name is longer than this.
  if (known.length === 0 || name.length > 60) return undefined;
  const nearest = closest(name, known);
  return distance(name, nearest) <= Math.min(nearest.length - 1, Math.max(2, nearest.length / 2)) ? nearest : undefined;
}
