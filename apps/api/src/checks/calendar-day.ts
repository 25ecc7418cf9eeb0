/**
 * Days of the calendar and what is left of them. Pure. A day is text, `YYYY-MM-DD`, and counted without clocks, so that
 * neither a change to summer time nor a leap day makes one longer; only an instant needs a time zone to fall on a day.
 */

const DAY_MS = 86_400_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|z|[+-]\d{2}:?\d{2})?$/;

/** A day, or an instant (milliseconds since 1970) which falls on one in a time zone. */
export type WrittenDate = { readonly day: string } | { readonly instant: number };

/**
 * What a date in a note means: a day as it is written, or a time of one. A time without an offset is of whatever zone
 * the note was written in, and so stands for its day.
 * @returns null when it is neither, or when there is no such day or time
 */
export function readDate(text: string): WrittenDate | null {
  if (isDay(text)) return { day: text };
  const [, day = '', time = '', offset] = DATE_AND_TIME.exec(text) ?? [];
  if (!isDay(day)) return null;
  const instant = Date.parse(`${day}T${time}${offset?.toUpperCase() ?? 'Z'}`);
  // The language's own reading takes 24:00, which is a time of the day after.
  if (Number.isNaN(instant) || time.startsWith('24')) return null;
  return offset === undefined ? { day } : { instant };
}

function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (day === undefined || year === '0000') return false;
  const date = new Date(`${text}T00:00:00Z`);
  // A day that the month does not have is carried into the next one.
  return !Number.isNaN(date.getTime()) && date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}

/** Gives instants the day they fall on in a time zone; made once, since that takes longer than asking. */
export function dayIn(timeZone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
  };
}

/** Days from one day to another; negative when it lies before. */
export function daysFrom(day: string, other: string): number {
  return (Date.parse(`${other}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / DAY_MS;
}
