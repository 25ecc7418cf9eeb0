import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayIn, daysFrom, readDate } from './calendar-day.ts';

describe('a date in a note', () => {
  it.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('is a day: %s', (day) => {
    expect(readDate(day)).toEqual({ day });
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-1-5',
    '20260105',
    '31.01.2026',
    '2026-01',
    '2026-01-31 or so',
    ' 2026-01-31',
    '2026-01-31T25:00',
    '2026-01-31T24:00:00Z',
    '2026-02-30T10:00Z',
    '2026-01-31T10:00+99:00',
    'soon',
    '',
  ])('is none: %j', (text) => {
    expect(readDate(text)).toBeNull();
  });

  it.each(['2026-01-31T23:30', '2026-01-31 23:30', '2026-01-31t23:30:59.123'])(
    'with a time but no offset is that day: %s',
    (text) => {
      expect(readDate(text)).toEqual({ day: '2026-01-31' });
    },
  );

  it.each(['2026-01-31T23:30:00Z', '2026-02-01T01:30+02:00', '2026-01-31 18:30:00 -0500'])(
    'with an offset is an instant: %s',
    (text) => {
      expect(readDate(text)).toEqual({ instant: Date.UTC(2026, 0, 31, 23, 30) });
    },
  );
});

describe('an instant', () => {
  it.each([
    ['UTC', '2026-01-31'],
    ['Europe/Berlin', '2026-02-01'],
    ['America/New_York', '2026-01-31'],
    ['Pacific/Kiritimati', '2026-02-01'],
    ['Pacific/Niue', '2026-01-31'],
  ])('falls on the day it is in %s', (zone, day) => {
    expect(dayIn(zone)(Date.UTC(2026, 0, 31, 23, 30))).toBe(day);
  });

  it('falls on its day to the last second, also where clocks are put on', () => {
    // In Berlin the 29th of March 2026 has 23 hours, and ends at 22:00 UTC.
    const dayOf = dayIn('Europe/Berlin');
    const end = Date.UTC(2026, 2, 29, 22);
    expect([dayOf(end - 1), dayOf(end)]).toEqual(['2026-03-29', '2026-03-30']);
  });
});

describe('days between two days', () => {
  it('are counted by the calendar', () => {
    expect(daysFrom('2024-02-28', '2024-03-01')).toBe(2);
    expect(daysFrom('2026-02-28', '2026-03-01')).toBe(1);
    expect(daysFrom('2026-03-28', '2026-03-30')).toBe(2);
    expect(daysFrom('2026-01-01', '2025-12-31')).toBe(-1);
  });

  it('lead from the one to the other, whichever they are', () => {
    const day = fc.integer({ min: -25_000, max: 100_000 });
    const textOf = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);
    fc.assert(fc.property(day, day, (a, b) => daysFrom(textOf(a), textOf(b)) === b - a));
  });
});
