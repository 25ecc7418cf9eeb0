import { parseFrontmatter } from '@vault-mcp/shared/vault/note/frontmatter';
import { describe, expect, it } from 'vitest';
import { readExpiry } from './expiry.ts';

/** What is read of the lines of a block. */
const expiryOf = (...lines: string[]) => {
  const { data, error } = parseFrontmatter(['---', ...lines, '---', ''].join('\n'));
  expect(error).toBeUndefined();
  return readExpiry(data);
};
const day = (date: string, what = '') => ({ when: { day: date }, what });

describe('what a note says of its expiry', () => {
  it('is nothing without the key, whatever the reason says', () => {
    expect(expiryOf('title: A', 'expires_reason: history')).toBeNull();
  });

  it('is one date after the other, two of the same day and the same kind included', () => {
    expect(
      expiryOf(
        'expires:',
        '  - {date: 2026-03-01, what: insurance}',
        '  - date: 2026-01-01',
        '    what: |',
        '      notice',
        '      period',
        '  - {date: 2026-03-01, what: insurance}',
      ),
    ).toEqual({
      dates: [day('2026-03-01', 'insurance'), day('2026-01-01', 'notice period'), day('2026-03-01', 'insurance')],
      problems: [],
    });
  });

  it.each([
    ['one date', ['expires: 2026-03-01'], [day('2026-03-01')]],
    ['one date in quotes', ['expires: "2026-03-01"'], [day('2026-03-01')]],
    ['one mapping', ['expires: {date: 2026-03-01, what: lease}'], [day('2026-03-01', 'lease')]],
    ['a list of dates', ['expires: [2026-03-01, 2026-04-01]'], [day('2026-03-01'), day('2026-04-01')]],
    ['a mapping without what', ['expires: [{date: 2026-03-01}]'], [day('2026-03-01')]],
    ['a number as what', ['expires: [{date: 2026-03-01, what: 7}]'], [day('2026-03-01', '7')]],
    ['keys nobody knows', ['expires: [{date: 2026-03-01, what: x, cost: 3}]'], [day('2026-03-01', 'x')]],
  ])('is also taken as %s', (_what, lines, dates) => {
    expect(expiryOf(...lines)).toEqual({ dates, problems: [] });
  });

  it('is that nothing runs out, with the reason', () => {
    expect(expiryOf('expires: None', 'expires_reason: a recipe')).toEqual({
      dates: [],
      problems: [],
      dismissed: 'a recipe',
    });
  });

  it.each([
    ['none without a reason', ['expires: none'], /without a reason.*expires_reason/],
    ['none with an empty reason', ['expires: none', 'expires_reason: ""'], /without a reason/],
    ['nothing', ['expires:'], /no date: write a list/],
    ['an empty text', ['expires: ""'], /no date/],
    ['an empty list', ['expires: []'], /empty list/],
    ['true', ['expires: true'], /no date/],
    ['a word', ['expires: never'], /"never" is no day of the calendar: write YYYY-MM-DD/],
    ['a number', ['expires: 20260301'], /"20260301" is no day/],
    ['a day that there is not', ['expires: 2026-02-30'], /"2026-02-30" is no day/],
    ['a mapping without a date', ['expires: {what: lease}'], /no date/],
    ['a mapping whose date is a list', ['expires: {date: [2026-03-01]}'], /no date/],
  ])('is a problem when it is %s', (_what, lines, problem) => {
    expect(expiryOf(...lines)).toEqual({ dates: [], problems: [expect.stringMatching(problem)] });
  });

  it('keeps each good date beside what cannot be read, which is told with its place', () => {
    const read = expiryOf(
      'expires:',
      '  - {date: 2026-02-30, what: a}',
      '  - {date: 2026-03-01, what: b}',
      '  - none',
      '  -',
      '  - [2026-04-01]',
      '  - {date: 2026-05-01, what: [x]}',
    );
    expect(read?.dates).toEqual([day('2026-03-01', 'b'), day('2026-05-01')]);
    expect(read?.problems).toEqual([
      expect.stringContaining('item 1 of expires: "2026-02-30"'),
      expect.stringContaining('item 3 of expires is "none", which stands alone'),
      expect.stringContaining('item 4 of expires has no date'),
      expect.stringContaining('item 5 of expires has no date'),
      expect.stringContaining('item 6 of expires: what is a list'),
    ]);
  });
});
