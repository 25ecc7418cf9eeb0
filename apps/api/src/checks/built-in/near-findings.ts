/** Notes that say nearly the same, as findings. Pure. */
import { findingId } from '../finding.ts';
import type { NearPair } from '../near-duplicates.ts';
import { type Found, foundOf } from './found.ts';

export function nearDuplicateFindings(pairs: readonly NearPair[]): Found {
  return foundOf(pairs, 'info', ({ a, b, similarity }) => ({
    ...{ id: findingId('near_duplicate', a, b), code: 'near_duplicate', severity: 'info', path: a },
    message: `It says nearly the same as ${b} (${similarity.toFixed(3)} of 1).`,
    fix: 'Merge the two, or have each say what the other does not.',
  }));
}
