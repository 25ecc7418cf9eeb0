/** What a check of ours found: the first of its findings, and how many there are. Pure. */
import { type Finding, type SeverityCounts, severityCounts } from '../finding.ts';

/** Findings of one check that an answer holds: nobody reads more, and a vault can have a hundred thousand broken links. */
export const MAX_FINDINGS = 1_000;

export interface Found {
  /** At most `MAX_FINDINGS`. */
  readonly findings: readonly Finding[];
  /** Of all of them. */
  readonly counts: SeverityCounts;
}

export function found(all: readonly Finding[]): Found {
  return { findings: all.slice(0, MAX_FINDINGS), counts: severityCounts(all) };
}

/** Makes the findings that are shown, and no other. */
export function foundOf<T>(all: readonly T[], severity: Finding['severity'], make: (one: T) => Finding): Found {
  return firstFound(all, all.length, severity, make);
}

/** The same where only the first of all are at hand. */
export function firstFound<T>(
  first: readonly T[],
  total: number,
  severity: Finding['severity'],
  make: (one: T) => Finding,
): Found {
  const counts = { error: 0, warning: 0, info: 0, [severity]: total };
  return { findings: first.slice(0, MAX_FINDINGS).map(make), counts };
}

/** One after the other. */
export function foundTogether(...parts: readonly Found[]): Found {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const part of parts)
    for (const severity of ['error', 'warning', 'info'] as const) counts[severity] += part.counts[severity];
  return { findings: parts.flatMap(({ findings }) => findings).slice(0, MAX_FINDINGS), counts };
}
