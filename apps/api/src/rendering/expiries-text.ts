/** What runs out as text. Pure. One date a line, then what is dismissed, untracked or cannot be read. */
import type { ExpiryEntry, ExpiryList } from '../operations/list-expiries.ts';
import { oneLine } from './one-line.ts';

export function expiriesText({ today, time_zone, entries, dismissed, invalid, ...rest }: ExpiryList): string {
  const lapsed = entries.filter((entry) => entry.lapsed).length;
  const lines = [
    `${counted(entries.length, 'date')}, ${lapsed} lapsed. Today is ${today} in ${time_zone}.`,
    ...entries.map(entryLine),
    ...section(
      'Never expire:',
      dismissed.map(({ path, reason }) => [path, reason]),
    ),
    ...section(
      'Cannot be read, so put this right:',
      invalid.map(({ path, problem }) => [path, problem]),
    ),
    ...['', `${counted(rest.untracked, 'note')} without expires.`],
    ...(rest.untracked_paths ?? []).map(oneLine),
  ];
  return `${lines.join('\n')}\n`;
}

function entryLine({ path, title, date, what, days_remaining: days }: ExpiryEntry): string {
  const when = days === 0 ? 'today' : days < 0 ? `lapsed ${counted(-days, 'day')} ago` : `in ${counted(days, 'day')}`;
  return [`${date}, ${when}`, path, title, ...(what === '' ? [] : [what])].map(oneLine).join(' | ');
}

function section(head: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  return ['', head, ...rows.map((row) => row.map(oneLine).join(' | '))];
}

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
