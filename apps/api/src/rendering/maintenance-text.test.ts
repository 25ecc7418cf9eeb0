import { GFM, parser } from '@lezer/markdown';
import { describe, expect, it } from 'vitest';
import type { CheckResult, MaintenanceRun } from '../operations/run-maintenance.ts';
import { checksText, maintenanceMarkdown } from './maintenance-text.ts';
import { oneLine } from './one-line.ts';

const gfm = parser.configure(GFM);

const check = (over: Partial<CheckResult>): CheckResult => ({
  ...{
    name: 'links',
    title: 'Links',
    description: 'Links that lead nowhere.',
    order: 10,
    source: 'built-in',
    file: null,
  },
  ...{
    status: 'ok',
    reason: null,
    exit_code: null,
    duration_ms: 3,
    degraded: [],
    findings: [],
    text: null,
    stderr: '',
  },
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
    degraded: [],
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

  describe('lets no text of somebody’s become', () => {
    /** What GFM sees but text, and the text. */
    const read = (markdown: string) => {
      const nodes: string[] = [];
      let shown = '';
      let copied = 0;
      gfm.parse(markdown).iterate({
        enter({ name, from }) {
          nodes.push(name);
          if (name !== 'Escape') return;
          shown += markdown.slice(copied, from);
          copied = from + 1;
        },
      });
      return { nodes: nodes.filter((name) => name !== 'Escape'), shown: shown + markdown.slice(copied) };
    };
    /** Everywhere that somebody's text can stand. */
    const everywhere = (text: string) => {
      const findings = [{ ...finding(text), path: text, fix: text }];
      const one = check({ title: text, description: text, status: 'findings', findings });
      const other = check({ status: 'could_not_run', reason: text });
      const scripts = { run: false, reason: text, confined: null };
      return maintenanceMarkdown({ ...run(one, other), scripts, not_checks: [{ file: text, reason: text }] });
    };
    const plainNodes = read(everywhere('text')).nodes;

    it.each([
      ['a link', '[[Home]] and [x](y)'],
      ['a tag', 'see #tag'],
      ['a cell', 'a | b'],
      ['HTML', '<img src=x>'],
      ['an entity', '&lt;b&gt; &#35; &amp;c'],
      ['a link of a bare address', 'https://example.org www.example.org a@example.org'],
      ['a comment', '%% hidden %%'],
      ['code', 'run `rm`'],
      ['a line of its own', 'one\n# Two\r\n- three'],
      ['a heading', '# Two'],
      ['an item', '- two'],
      ['an item with a number', '1. two'],
      ['a quote', '> two'],
      ['a fence', '```'],
      ['a line across', '----'],
    ])('%s', (_what, text) => {
      const { nodes, shown } = read(everywhere(text));
      expect(nodes).toEqual(plainNodes);
      expect(shown.split(oneLine(text)).length - 1).toBe(everywhere('text').split(/\btext\b/).length - 1);
    });
  });

  it('says of what not everything was looked at, and why', () => {
    const text = rendered(check({ degraded: ['index_building', 'partly_unread'] }), check({ title: 'Names' }));
    expect(text).toContain('| Links | ok, in part | 0 | 0 | 0 |\n| Names | ok | 0 | 0 | 0 |');
    expect(text).toContain(
      '## Links\n\nLinks that lead nowhere.\n\nNot everything was looked at: the index is still being built; notes or folders could not be read.\n',
    );
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
