/**
 * The callouts of all notes. Danger: people put what is still to be done into them, so a note that could not be asked is
 * named. Asks the files, as questions about frontmatter do.
 */
import { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { dirInput, surveyFolder } from './survey-folder.ts';

export const listCalloutsInput = z.strictObject({
  dir: dirInput,
  type: z.string().min(1).max(200).optional().describe('Only callouts of this type, whatever the case.'),
});

export interface ListedCallout {
  readonly note: string;
  /** 1-based. */
  readonly line: number;
  readonly type: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Empty where there is none. */
  readonly title: string;
  readonly body: string;
}

export interface CalloutList {
  /** In the order of the notes' paths, then as they stand there. */
  readonly callouts: readonly ListedCallout[];
  readonly counts: {
    readonly total: number;
    readonly by_severity: Readonly<Record<'error' | 'warning' | 'info', number>>;
    /** The most frequent first. */
    readonly by_type: Readonly<Record<string, number>>;
  };
  /** Notes and folders that could not be asked, and why. */
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
}

/** @throws AppError not_found, not_a_directory, invalid_path, unreadable: of the folder */
export async function listCallouts(
  context: Pick<OperationContext, 'vault' | 'config'>,
  { dir, type }: z.infer<typeof listCalloutsInput>,
): Promise<CalloutList> {
  const { answer, leftOut } = await surveyFolder(context, dir, { about: 'callouts' });
  const wanted = type?.trim().toLowerCase();
  const callouts = answer.filter((each) => wanted === undefined || each.type === wanted);
  return { callouts, counts: countsOf(callouts), left_out: leftOut };
}

function countsOf(callouts: readonly ListedCallout[]): CalloutList['counts'] {
  const bySeverity = { error: 0, warning: 0, info: 0 };
  const byType = new Map<string, number>();
  for (const { type, severity } of callouts) {
    bySeverity[severity]++;
    byType.set(type, (byType.get(type) ?? 0) + 1);
  }
  const types = [...byType].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { total: callouts.length, by_severity: bySeverity, by_type: Object.fromEntries(types) };
}
