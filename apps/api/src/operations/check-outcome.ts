/**
 * What came of a check of ours: what it found, and why that may not be all. Danger: what could not look at everything must
 * not pass for what found nothing.
 */
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Found } from '../checks/built-in/found.ts';
import type { CheckDegraded } from '../checks/finding.ts';
import { PARTLY_UNREAD } from './link-graph.ts';

/** `problem`: why it could not be made, as a clause. */
export type CheckOutcome =
  | { readonly found: Found; readonly degraded: readonly CheckDegraded[] }
  | { readonly problem: string };

export function found(each: Found, degraded: readonly CheckDegraded[] = []): CheckOutcome {
  return { found: each, degraded };
}

/**
 * Of a check whose findings are right also while the index is being built, but which may lack some: without any, it says
 * nothing yet.
 *
 * @param building what `indexBuilding` says
 */
export function foundSoFar(
  each: Found,
  building: string | null,
  degraded: readonly CheckDegraded[] = [],
): CheckOutcome {
  if (building === null) return found(each, degraded);
  return each.findings.length === 0 ? { problem: building } : found(each, ['index_building', ...degraded]);
}

/** Of a check whose findings may be wrong until the index is whole. */
export function foundOnceBuilt(
  each: Found,
  building: string | null,
  degraded: readonly CheckDegraded[] = [],
): CheckOutcome {
  return building === null ? found(each, degraded) : { problem: building };
}

/** Where something could not be read. */
export function partlyUnread(leftOut: readonly unknown[]): readonly CheckDegraded[] {
  return leftOut.length === 0 ? [] : [PARTLY_UNREAD];
}

/**
 * Why the index may lack notes, as a clause; null when it has them all.
 * @throws AppError not_ready: there is none
 */
export function indexBuilding(reader: Pick<IndexReader, 'indexerStatus'>): string | null {
  const state = reader.indexerStatus()?.state;
  if (state === 'ready') return null;
  return state === 'failed'
    ? 'the index could not be built (GET /readyz says why)'
    : 'the index is still being built (GET /readyz shows the progress)';
}
