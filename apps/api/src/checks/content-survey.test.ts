import { describe, expect, it } from 'vitest';
import { ContentSurvey, type ReadNote } from './content-survey.ts';
import { noteContent } from './note-content.ts';

const note = (path: string, text: string): ReadNote => ({ path, derived: noteContent(text, path) });
const PLAN = note('Plan.md', '> [!todo] Paint\n');
const HOME = note('Home.md', 'Nothing.\n');

describe('callouts', () => {
  const told = (survey: ContentSurvey, notes: readonly ReadNote[], folder = '', known?: string) =>
    survey.answer(notes, folder, { about: 'callouts', known }) as { version: string; callouts: unknown[] | null };

  it('are handed over once to who has them already', () => {
    const survey = new ContentSurvey();
    const first = told(survey, [HOME, PLAN]);
    expect(first.callouts).toEqual([expect.objectContaining({ note: 'Plan.md', title: 'Paint' })]);
    expect(told(survey, [PLAN, note('New.md', 'Nothing either.\n')], '', first.version)).toEqual({
      version: first.version,
      callouts: null,
    });
  });

  it.each([
    ['a note was written anew', [note('Plan.md', '> [!todo] Paint\n')], ''],
    ['one came', [PLAN, note('Roof.md', '> [!bug]\n')], ''],
    ['one went', [HOME], ''],
    ['one was renamed', [{ ...PLAN, path: 'Plans.md' }], ''],
    ['another folder is asked', [PLAN], 'House'],
  ])('are handed over again when %s', (_what, notes, folder) => {
    const survey = new ContentSurvey();
    const { version } = told(survey, [PLAN]);
    const next = told(survey, notes, folder, version);
    expect(next.version).not.toBe(version);
    expect(next.callouts).not.toBeNull();
  });

  it('keep their version when others asked of another folder or by other rules in between', () => {
    const survey = new ContentSurvey();
    const { version } = told(survey, [PLAN]);
    told(survey, [], 'House');
    expect(told(survey, [PLAN], '', version)).toEqual({ version, callouts: null });
  });

  it('of another thread are never taken for those of this one', () => {
    const { version } = told(new ContentSurvey(), [PLAN]);
    expect(told(new ContentSurvey(), [PLAN], '', version).callouts).not.toBeNull();
  });
});
