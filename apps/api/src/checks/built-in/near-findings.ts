/** Notes that say nearly the same, as findings. Pure. */
import { findingId } from '../finding.ts';
import type { NearDuplicatesAnswer } from '../near-duplicates.ts';
import { type Found, firstFound } from './found.ts';

export function nearDuplicateFindings({ pairs, total }: Pick<NearDuplicatesAnswer, 'pairs' | 'total'>): Found {
  return firstFound(pairs, total, 'info', ({ a, b, similarity }) => ({
    ...{ id: findingId('near_duplicate', a, b), code: 'near_duplicate', severity: 'info', path: a },
    message: `It says nearly the same as ${b} (${similarity.toFixed(3)} of 1).`,
    fix: 'Merge the two, or have each say what the other does not.',
  }));
}
