/**
 * What a note's frontmatter says of when the note, or something in it, runs out. Pure. Danger: a date that is passed over
 * is a contract that renews itself, so whatever cannot be read is a problem that is told, and hides no date beside it.
 */
import { textValue } from '@vault-mcp/shared/vault/note/describe';
import { readDate, type WrittenDate } from './calendar-day.ts';

export interface ExpiryDate {
  readonly when: WrittenDate;
  /** What runs out; empty where the note does not say. */
  readonly what: string;
}

export interface Expiry {
  readonly dates: readonly ExpiryDate[];
  /** What is written and cannot be read: clauses that say what to write instead. */
  readonly problems: readonly string[];
  /** Why nothing runs out, where the note says that nothing does. */
  readonly dismissed?: string;
}

const SHAPE = 'write a list of {date: YYYY-MM-DD, what: text}, or "none" with an expires_reason';

/**
 * @param data a note's frontmatter
 * @returns null when it says nothing of the matter
 */
export function readExpiry(data: Readonly<Record<string, unknown>>): Expiry | null {
  if (!Object.hasOwn(data, 'expires')) return null;
  const { expires } = data;
  if (isNone(expires)) return readDismissal(data);
  if (textValue(expires) === undefined && !isObject(expires)) {
    return { dates: [], problems: [`expires has no date: ${SHAPE}`] };
  }
  const items = Array.isArray(expires) ? expires : [expires];
  if (items.length === 0) return { dates: [], problems: [`expires is an empty list: ${SHAPE}`] };
  const dates: ExpiryDate[] = [];
  const problems: string[] = [];
  items.forEach((item, at) => {
    const place = Array.isArray(expires) ? `item ${at + 1} of expires` : 'expires';
    const read = readItem(item, place);
    if (read.date) dates.push(read.date);
    if (read.problem) problems.push(read.problem);
  });
  return { dates, problems };
}

function readDismissal({ expires_reason }: Readonly<Record<string, unknown>>): Expiry {
  const reason = textValue(expires_reason);
  if (reason !== undefined) return { dates: [], problems: [], dismissed: reason };
  return { dates: [], problems: ['expires is "none" without a reason: write it to expires_reason'] };
}

/** A mapping with a date, or the date alone. */
function readItem(item: unknown, place: string): { readonly date?: ExpiryDate; readonly problem?: string } {
  if (isNone(item)) return { problem: `${place} is "none", which stands alone, beside an expires_reason` };
  const { date, what } = isMapping(item) ? item : { date: item, what: undefined };
  const written = textValue(date);
  if (written === undefined) return { problem: `${place} has no date: ${SHAPE}` };
  const when = readDate(written);
  if (when === null) return { problem: `${place}: "${cut(written)}" is no day of the calendar: write YYYY-MM-DD` };
  if (isObject(what)) return { date: { when, what: '' }, problem: `${place}: what is a list or mapping, not text` };
  return { date: { when, what: typeof what === 'boolean' ? String(what) : (textValue(what) ?? '') } };
}

function isNone(value: unknown): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === 'none';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
