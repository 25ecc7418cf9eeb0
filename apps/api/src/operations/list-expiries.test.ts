import { describe, expect, it } from 'vitest';
import { readingSuite } from '../../../../test/support/reading-context.ts';
import { expiriesText } from '../rendering/expiries-text.ts';
import { parseInput } from './input.ts';
import { type ExpiryEntry, listExpiries, listExpiriesInput } from './list-expiries.ts';

/** Already the 1st of March in Berlin. */
const NOW = new Date('2026-02-28T23:30:00Z');

const FILES = {
  'Car/Car.md':
    '---\ntitle: The car\nexpires:\n  - {date: 2026-03-15, what: tax}\n  - {date: 2026-02-28, what: inspection}\n---\n',
  'Car/Tyres.md': '---\nexpires: [2026-03-15, 2026-03-15]\n---\n# Winter tyres\n',
  'Bad.md': '---\nexpires:\n  - {date: 2026-02-30, what: lease}\n  - {date: 2027-01-01, what: notice}\n---\n',
  'Today.md': '---\nexpires: {date: 2026-03-01, what: coupon}\n---\n',
  'Meeting.md': '---\nexpires: 2026-02-28T22:59:59Z\n---\n',
  'Recipe.md': '---\nexpires: none\nexpires_reason: it keeps\n---\n',
  'Unsure.md': '---\nexpires: none\n---\n',
  'Broken.md': '---\nexpires: [\n---\n',
  'Plain.md': '# Plain\n',
  'index.md': '---\ngenerated_by: vault-mcp\n---\n',
  'Car/index.md': '---\ngenerated_by: vault-mcp\n---\n',
};
const suite = readingSuite(FILES, { TZ: 'Europe/Berlin' });
const list = (input: Record<string, unknown> = {}, now = NOW) =>
  listExpiries({ ...suite.context, now: () => now }, parseInput(listExpiriesInput, input));
const rows = (entries: readonly ExpiryEntry[]) => entries.map(({ path, date, what }) => `${date} ${path} ${what}`);

describe('what runs out', () => {
  it('is one row a date, oldest first, then by path, then as the note has it', async () => {
    expect(rows((await list()).entries)).toEqual([
      '2026-02-28 Car/Car.md inspection',
      '2026-02-28 Meeting.md ',
      '2026-03-01 Today.md coupon',
      '2026-03-15 Car/Car.md tax',
      '2026-03-15 Car/Tyres.md ',
      '2026-03-15 Car/Tyres.md ',
      '2027-01-01 Bad.md notice',
    ]);
  });

  it('lapses when its day is over in the configured zone, and not before', async () => {
    const lapsedAt = async (now: string) =>
      rows((await list({}, new Date(now))).entries.filter(({ lapsed }) => lapsed));
    expect(await lapsedAt('2026-02-28T22:59:59Z')).toEqual([]);
    expect(await lapsedAt('2026-02-28T23:00:00Z')).toEqual([
      '2026-02-28 Car/Car.md inspection',
      '2026-02-28 Meeting.md ',
    ]);
  });

  it('says how many days are left, and of which day', async () => {
    const { today, time_zone, entries } = await list();
    expect([today, time_zone]).toEqual(['2026-03-01', 'Europe/Berlin']);
    expect(entries.map(({ days_remaining }) => days_remaining)).toEqual([-1, -1, 0, 14, 14, 14, 306]);
  });

  it('has the title of its note: from the frontmatter, the first heading, or the file', async () => {
    const titles = new Map((await list()).entries.map(({ path, title }) => [path, title]));
    expect(Object.fromEntries(titles)).toEqual({
      'Car/Car.md': 'The car',
      'Car/Tyres.md': 'Winter tyres',
      'Bad.md': 'Bad',
      'Today.md': 'Today',
      'Meeting.md': 'Meeting',
    });
  });

  it.each([
    [0, 3],
    [13, 3],
    [14, 6],
    [36_525, 7],
  ])('within %i days is that and all that has lapsed', async (within, count) => {
    const { entries, invalid } = await list({ within });
    expect(entries).toHaveLength(count);
    expect(invalid).toHaveLength(3);
  });

  it('is told apart from what never does, what nobody thought of, and what cannot be read', async () => {
    const { dismissed, untracked, invalid, untracked_paths } = await list();
    expect(dismissed).toEqual([{ path: 'Recipe.md', reason: 'it keeps' }]);
    expect([untracked, untracked_paths]).toEqual([2, undefined]);
    expect(invalid).toEqual([
      { path: 'Bad.md', problem: expect.stringContaining('2026-02-30') },
      { path: 'Unsure.md', problem: expect.stringContaining('expires_reason') },
      { path: 'Broken.md', problem: expect.stringMatching(/unknown: its frontmatter cannot be used/) },
    ]);
  });

  it('is not asked of the index page, which is made of the others; those asked can be listed', async () => {
    expect((await list({ untracked: true })).untracked_paths).toEqual(['Car/index.md', 'Plain.md']);
  });

  it('is that of one folder when one is named', async () => {
    const { entries, invalid, untracked } = await list({ dir: 'Car' });
    expect([entries.length, invalid.length, untracked]).toEqual([4, 0, 1]);
    await expect(list({ dir: 'Nowhere' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(list({ dir: 'Plain.md' })).rejects.toMatchObject({ code: 'not_a_directory' });
  });

  it.each([{ within: -1 }, { within: 36_526 }, { within: 1.5 }])('refuses %j', async (input) => {
    await expect(async () => list(input)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the same as text', () => {
  it('has a line for each, and says how near it is', async () => {
    expect(expiriesText(await list({ within: 14, untracked: true })).split('\n')).toEqual([
      '6 dates, 2 lapsed. Today is 2026-03-01 in Europe/Berlin.',
      '2026-02-28, lapsed 1 day ago | Car/Car.md | The car | inspection',
      '2026-02-28, lapsed 1 day ago | Meeting.md | Meeting',
      '2026-03-01, today | Today.md | Today | coupon',
      '2026-03-15, in 14 days | Car/Car.md | The car | tax',
      '2026-03-15, in 14 days | Car/Tyres.md | Winter tyres',
      '2026-03-15, in 14 days | Car/Tyres.md | Winter tyres',
      '',
      'Never expire:',
      'Recipe.md | it keeps',
      '',
      'Cannot be read, so put this right:',
      expect.stringMatching(/^Bad\.md \| item 1 of expires/),
      expect.stringMatching(/^Unsure\.md \| /),
      expect.stringMatching(/^Broken\.md \| /),
      '',
      '2 notes without expires.',
      'Car/index.md',
      'Plain.md',
      '',
    ]);
  });
});
