/** What a check finds, and what becomes of a check, whoever made it. Pure. */
import { createHash } from 'node:crypto';
import type { Severity } from '@vault-mcp/shared/vault/note/callouts';

export interface Finding {
  /** Stays the same as long as the matter is the same, and is no other's. */
  readonly id: string;
  /** In snake case. */
  readonly code: string;
  readonly severity: Severity;
  /** The file it is about. */
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/**
 * `ok`: nothing found · `findings` · `legacy`: a script that does not describe itself, with its text · `could_not_run`:
 * `reason` says why.
 */
export type CheckStatus = 'ok' | 'findings' | 'legacy' | 'could_not_run';

/**
 * Why a check may not have found all: `index_building`: the index lacks notes still · `partly_unread`: notes or folders could
 * not be read · `vectors_pending`: notes have no vector yet · `documents_pending`: documents wait to be read.
 */
export type CheckDegraded = 'index_building' | 'partly_unread' | 'vectors_pending' | 'documents_pending';

/** What a check is, before anything is checked. */
export interface CheckDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Place among the checks, the smallest first. */
  readonly order: number;
}

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity]++;
  return counts;
}

/**
 * An id of what makes a finding this one and no other: never a line number or a text, which change while the matter
 * stays.
 */
export function findingId(code: string, ...parts: readonly (string | number)[]): string {
  const digest = createHash('sha256').update(parts.join('\0')).digest('hex');
  return `${code}-${digest.slice(0, 16)}`;
}
