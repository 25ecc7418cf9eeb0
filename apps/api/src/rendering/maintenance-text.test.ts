import { describe, expect, it } from 'vitest';
import type { CheckResult, MaintenanceRun } from '../operations/run-maintenance.ts';
import { checksText, maintenanceMarkdown } from './maintenance-text.ts';

const check = (over: Partial<CheckResult>): CheckResult => ({
  ...{
    name: 'links',
    title: 'Links',
    description: 'Links that lead nowhere.',
    order: 10,
    source: 'built-in',
    file: null,
  },
  ...{ status: 'ok', reason: null, exit_code: null, duration_ms: 3, findings: [], text: null, stderr: '' },
  counts: { error: 0, warning: 0, info: 0 },
  ...over,
});
const finding = (message: string) => ({ id: message, code: 'broken_link', severity: 'warning', message }) as const;
const run = (...checks: CheckResult[]): MaintenanceRun => ({
  ...{
    started_at: '2026-03-01T12:00:00.000Z',
    duration_ms: 5,
    counts: { error: 0, warning: 2, info: 0 },
    could_not_run: 1,
  },
  ...{ scripts: { run: true, reason: null, confined: true }, checks, not_checks: [] },
});
const rendered = (...checks: CheckResult[]) => maintenanceMarkdown(run(...checks));

describe('the block of markdown', () => {
  it('sums up, then tells of each check that has something to say', () => {
    const links = check({
      ...{ status: 'findings', counts: { error: 0, warning: 2, info: 0 } },
      findings: [{ ...finding('[[Slates]] leads nowhere.'), path: 'House/Roof.md', line: 7, fix: 'Correct it.' }],
    });
    const failed = check({
      title: 'Dates',
      description: '',
      status: 'could_not_run',
      reason: 'it printed nothing',
      stderr: 'oh no\n',
    });
    expect(rendered(links, failed, check({ title: 'Names' }))).toBe(`# Maintenance

2026-03-01T12:00:00.000Z: 3 checks. Errors 0, warnings 2, info 0; 1 could not be run.

The scripts of the vault are run. They could read the vault and write nowhere.

| Check | Status | Errors | Warnings | Info |
| --- | --- | --- | --- | --- |
| Links | findings | 0 | 2 | 0 |
| Dates | could not run | 0 | 0 | 0 |
| Names | ok | 0 | 0 | 0 |

## Links

Links that lead nowhere.

- **warning** \`broken_link\` House/Roof.md, line 7: \\[\\[Slates\\]\\] leads nowhere. Correct it.

And 1 more.

## Dates

It could not be run: it printed nothing.

On standard error:

\`\`\`text
oh no
\`\`\`
`);
  });

  it.each([
    ['a link', '[[Home]] and [x](y)'],
    ['a tag', 'see #tag'],
    ['a cell', 'a | b'],
    ['HTML', '<img src=x>'],
    ['a comment', '%% hidden %%'],
    ['code', 'run `rm`'],
    ['a line of its own', 'one\n# Two\r\n- three'],
  ])('lets no message become %s', (_what, message) => {
    const text = rendered(
      check({ status: 'findings', findings: [finding(message)], counts: { error: 0, warning: 1, info: 0 } }),
    );
    const line = text.split('\n').find((each) => each.startsWith('- **warning**')) ?? '';
    expect(text.split('\n').filter((each) => /^(- |# |\| [^CL-])/.test(each))).toEqual(['# Maintenance', line]);
    expect(line.replace('`broken_link`', '')).not.toMatch(/(?<!\\)[[\]<>#|`%]/);
  });

  it('holds what a script printed in a fence that it cannot close', () => {
    const text = rendered(check({ status: 'legacy', text: 'before\n````\n# after\n' }));
    expect(text).toContain('`````text\nbefore\n````\n# after\n`````\n');
  });

  it('writes out a number of findings, and says how many there are', () => {
    const findings = Array.from({ length: 60 }, (_, n) => finding(`No. ${n}`));
    const text = rendered(check({ status: 'findings', findings, counts: { error: 0, warning: 4_000, info: 0 } }));
    expect(text.match(/^- /gm)).toHaveLength(50);
    expect(text).toContain('And 3950 more.');
  });

  it.each([
    [{ run: false, reason: 'they are switched off', confined: null }, 'were not run: they are switched off.'],
    [{ run: true, reason: null, confined: false }, 'could not keep them from writing'],
    [{ run: true, reason: null, confined: null }, 'None was run.'],
    [{ run: true, reason: 'one changed', confined: true }, 'write nowhere; one changed.'],
  ])('says what became of the scripts: %j', (scripts, sentence) => {
    expect(maintenanceMarkdown({ ...run(), scripts })).toContain(sentence);
  });
});

describe('the list of checks', () => {
  it('has one a line, and what is none below', () => {
    const described = { title: 'Dates', description: 'Looks\nat dates.', order: 1, stderr: '' };
    const text = checksText({
      scripts: { run: true, reason: null, confined: true },
      checks: [
        { ...described, name: 'dates', source: 'script', file: 'dates.py', status: 'described', reason: null },
        { ...described, name: 'old', source: 'script', file: 'check_old.py', status: 'legacy', reason: 'x' },
        { ...described, name: 'bad', source: 'script', file: 'bad.py', status: 'could_not_run', reason: 'it hangs' },
        { ...described, name: 'links', source: 'built-in', file: null, status: 'described', reason: null },
      ],
      not_checks: [{ file: 'tool.py', reason: 'it does not describe itself' }],
    });
    expect(text.split('\n').slice(0, 7)).toEqual([
      'dates | .scripts/dates.py | Dates | Looks␊at dates.',
      'old | .scripts/check_old.py | Dates | legacy, runs for its text',
      'bad | .scripts/bad.py | Dates | could not run: it hangs',
      'links | built in | Dates | Looks␊at dates.',
      '',
      'No checks:',
      'tool.py | it does not describe itself',
    ]);
  });
});
