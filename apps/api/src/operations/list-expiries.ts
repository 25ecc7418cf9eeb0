/**
 * What runs out, and when. Danger: what is left out here is forgotten by whoever trusts it, so each date is a row of its
 * own, a lapsed one is never hidden, and what cannot be read is told. A date lapses at the end of its day in the
 * configured time zone.
 */
import { z } from 'zod';
import { dayIn, daysFrom } from '../checks/calendar-day.ts';
import type { OperationContext, WriteContext } from '../context.ts';
import { dirInput, surveyFolder } from './survey-folder.ts';

/** A hundred years. */
const MAX_WITHIN = 36_525;

export const listExpiriesInput = z.strictObject({
  within: z
    .number()
    .int()
    .min(0)
    .max(MAX_WITHIN)
    .optional()
    .describe('Only dates at most this many days ahead, and all that have lapsed.'),
  untracked: z.boolean().optional().describe('Also list the notes that say nothing of the matter. Default false.'),
  dir: dirInput,
});

export interface ExpiryEntry {
  readonly path: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Empty where the note does not say. */
  readonly what: string;
  /** 0 on the day itself, negative afterwards. */
  readonly days_remaining: number;
  readonly lapsed: boolean;
}

export interface ExpiryList {
  /** The day that is counted from, and the zone it is a day of. */
  readonly today: string;
  readonly time_zone: string;
  /** Oldest first; one row a date. */
  readonly entries: readonly ExpiryEntry[];
  readonly dismissed: readonly { readonly path: string; readonly reason: string }[];
  /** How many notes say nothing of the matter. */
  readonly untracked: number;
  /** Which; only when asked for. */
  readonly untracked_paths?: readonly string[];
  /** What cannot be read: of a note, or a note or folder as a whole. */
  readonly invalid: readonly { readonly path: string; readonly problem: string }[];
}

/** @throws AppError not_found, not_a_directory, invalid_path, unreadable: of the folder */
export async function listExpiries(
  context: Pick<OperationContext, 'vault' | 'config'> & Pick<WriteContext, 'now'>,
  { within, untracked = false, dir }: z.infer<typeof listExpiriesInput>,
): Promise<ExpiryList> {
  const { answer, leftOut } = await surveyFolder(context, dir, { about: 'expiries', untracked });
  const { time_zone } = context.config;
  const dayOf = dayIn(time_zone);
  const today = dayOf(context.now().getTime());
  const entries = answer.dates.map(({ path, title, when, what }): ExpiryEntry => {
    const date = 'day' in when ? when.day : dayOf(when.instant);
    const days_remaining = daysFrom(today, date);
    return { path, title, date, what, days_remaining, lapsed: days_remaining < 0 };
  });
  const unread = leftOut.map(({ path, reason }) => ({ path, problem: `whether it expires is unknown: ${reason}` }));
  return {
    ...{ today, time_zone },
    // Sorting keeps the order of equals: that of the paths, and within a note that of its list.
    entries: entries.filter((each) => within === undefined || each.days_remaining <= within).sort(oldestFirst),
    dismissed: answer.dismissed,
    untracked: answer.untracked,
    ...(untracked && { untracked_paths: answer.untrackedPaths }),
    invalid: [...answer.invalid, ...unread],
  };
}

function oldestFirst(a: ExpiryEntry, b: ExpiryEntry): number {
  return a.days_remaining - b.days_remaining;
}
