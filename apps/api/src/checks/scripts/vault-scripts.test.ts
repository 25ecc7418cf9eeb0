// The scripts of a vault as a whole, each a real one: what is a check, what becomes of those that are none or misbehave.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_ENTRIES } from '@vault-mcp/shared/vault/scripts-folder';
import { describe, expect, it, vi } from 'vitest';
import { checkOf } from '../../../../../test/support/check-program.ts';
import { checkingScripts, LIMITS, settings } from '../../../../../test/support/checking-scripts.ts';
import { processesNaming } from '../../../../../test/support/process-family.ts';
import type { PutFile } from '../../../../../test/support/vault-files.ts';
import type { CheckedScripts } from './script-session.ts';

const at = checkingScripts();
const { scripts, check, putCheck } = at;
const put: PutFile = (...file) => at.put(...file);
const byFile = ({ results }: CheckedScripts) => Object.fromEntries(results.map((result) => [result.file, result]));

describe('a script that describes itself', () => {
  it('is a check, whatever its name and language', async () => {
    putCheck('dates.py', 'dates', ['found("Home.md", path="Home.md", line=1, fix="Write one.")']);
    const self = { schema: 2, check: 'words', title: 'Words', description: 'Counts.', order: 3 };
    put(
      '.scripts/words.mjs',
      `const self = ${JSON.stringify(self)};
       const asked = process.argv.includes('--describe');
       console.log(JSON.stringify(asked ? self : { ...self, findings: [] }));`,
    );
    const { results, state } = await check();
    expect(state).toMatchObject({ run: true, reason: null });
    expect(results).toMatchObject([
      {
        ...{ file: 'dates.py', status: 'findings', exitCode: 0, breach: null },
        description: { name: 'dates', title: 'Check dates', order: 10 },
        findings: [{ id: 'Home.md', severity: 'warning', path: 'Home.md', line: 1, fix: 'Write one.' }],
      },
      { file: 'words.mjs', status: 'ok', exitCode: 0, findings: [], description: { name: 'words', order: 3 } },
    ]);
  });

  it('is told the vault by `--vault-path`, after what it is to do, and nothing else', async () => {
    putCheck('args.py', 'args', ['found(json.dumps(sys.argv[1:]))', 'found(os.getcwd())']);
    const [result] = (await check()).results;
    expect(result?.findings.map(({ id }) => id)).toEqual([
      JSON.stringify(['--json', '--vault-path', at.path]).replaceAll(',', ', '),
      at.path,
    ]);
  });

  it('keeps to the exit codes, or that is told', async () => {
    putCheck('error.py', 'error', ['found("a", "error")']);
    putCheck('quiet.py', 'quiet', [
      'found("a", "error")',
      'print(json.dumps({**self, "findings": findings}))',
      'sys.exit(0)',
    ]);
    putCheck('loud.py', 'loud', ['print(json.dumps({**self, "findings": findings}))', 'sys.exit(1)']);
    const results = byFile(await check());
    expect(results['error.py']).toMatchObject({ status: 'findings', exitCode: 1, breach: null });
    expect(results['quiet.py']).toMatchObject({
      status: 'findings',
      exitCode: 0,
      breach: expect.stringContaining('an error'),
    });
    expect(results['loud.py']).toMatchObject({
      status: 'ok',
      exitCode: 1,
      breach: expect.stringContaining('no error'),
    });
  });

  it.each([
    ['crashes', ['raise RuntimeError("oh no")'], /printed nothing/, /oh no/],
    [
      'says that it could not run',
      ['print("no network", file=sys.stderr)', 'sys.exit(2)'],
      /exit code 2/,
      /no network/,
    ],
    ['ends with another code', ['sys.exit(7)'], /ended with 7/, /^$/],
    ['prints garbage', ['print("ok so far")'], /no JSON/, /^$/],
    ['prints another shape', ['print("{}")', 'sys.exit(0)'], /does not fit: schema must be 2/, /^$/],
    ['reports an id twice', ['found("a")', 'found("a")'], /two findings have the id "a"/, /^$/],
    ['hangs', ['time.sleep(300)'], /longer than 2 seconds/, /^$/],
    ['floods', ['while True: print("x" * 65536)'], /printed more than/, /^$/],
    ['forks and is gone', ['if os.fork(): os.kill(os.getpid(), 9)', 'time.sleep(300)'], /ended by SIGKILL/, /^$/],
  ])('and then %s could not run, and those after it do', async (_what, lines, reason, stderr) => {
    putCheck('bad.py', 'bad', lines);
    putCheck('good.py', 'good');
    const results = byFile(await check({ limits: { ...LIMITS, seconds: 2 } }));
    expect(results['bad.py']).toMatchObject({
      ...{ status: 'could_not_run', findings: [], description: { name: 'bad' } },
      ...{ reason: expect.stringMatching(reason), stderr: expect.stringMatching(stderr) },
    });
    expect(results['good.py']?.status).toBe('ok');
  });
});

describe('a script that does not', () => {
  it('runs for its text when it is named like a check', async () => {
    put('.scripts/check_old.py', 'import sys\nprint("3 problems in", sys.argv[1:])\nsys.exit(1)\n');
    put('.scripts/check_strict.py', 'import argparse\nargparse.ArgumentParser().add_argument("--vault-path")\n');
    put('.scripts/check_broken.py', 'raise SystemExit("cannot")\n'.replace('"cannot"', '3'));
    const results = byFile(await check());
    expect(results['check_old.py']).toMatchObject({
      ...{ status: 'legacy', exitCode: 1, findings: [], description: { name: 'check_old' } },
      text: `3 problems in ['--vault-path', '${at.path}']\n`,
    });
    expect(results['check_strict.py']?.status).toBe('legacy');
    expect(results['check_broken.py']).toMatchObject({ status: 'could_not_run', reason: 'it ended with 3' });
  });

  it('could not run when it says nothing and ends as what crashes does', async () => {
    put('.scripts/check_crash.py', 'raise SystemError("no")\n');
    const { status, reason, stderr } = byFile(await check())['check_crash.py'] ?? {};
    expect([status, reason]).toEqual([
      'could_not_run',
      'it ended with 1 and printed nothing: its standard error may say why',
    ]);
    expect(stderr).toContain('SystemError: no');
  });

  it('says what befell it when it was asked what it is, if it was more than not to know', async () => {
    put('.scripts/check_slow.py', 'import sys, time\nif "--describe" in sys.argv: time.sleep(300)\nprint("well")\n');
    expect(byFile(await check({ limits: { ...LIMITS, seconds: 2 } }))['check_slow.py']).toMatchObject({
      ...{ status: 'legacy', text: 'well\n' },
      reason: expect.stringMatching(/^asked to describe itself: it took longer than 2 seconds/),
    });
  });

  it('is another program otherwise, and left alone', async () => {
    put('.scripts/deploy.py', 'import sys\nif "--describe" not in sys.argv: open("Ran.md", "w")\n');
    put('.scripts/tool.py', 'import argparse\nargparse.ArgumentParser().parse_args()\n');
    put('.scripts/_lib.py', 'raise SystemExit(9)\n');
    put('.scripts/notes.txt', 'no script');
    put('.scripts/lib/check_x.py', 'raise SystemExit(9)\n');
    const { results, others } = await check();
    expect(results).toEqual([]);
    expect(others).toEqual([
      { file: 'deploy.py', reason: 'it does not describe itself' },
      { file: 'tool.py', reason: 'it does not describe itself' },
    ]);
  });

  it.each([
    ['because it crashes', 'raise RuntimeError("oh no")', 'asked to describe itself, it ended with 1'],
    ['as it should', 'print(\'{"schema": 1}\')', 'its description does not fit: schema must be 2'],
  ])('%s is listed under its own name', async (_why, program, reason) => {
    put('.scripts/dates.py', program);
    const { described } = await scripts().describe(settings());
    expect(described).toMatchObject([
      { file: 'dates.py', kind: 'broken', description: { name: 'dates' }, problem: reason },
    ]);
    expect(byFile(await check())['dates.py']).toMatchObject({ status: 'could_not_run', reason });
  });

  it('is not followed when it is a link', async () => {
    writeFileSync(join(at.path, 'elsewhere'), checkOf('linked'));
    mkdirSync(join(at.path, '.scripts'));
    symlinkSync(join(at.path, 'elsewhere'), join(at.path, '.scripts/linked.py'));
    const { results, refused } = await check();
    expect([results, refused]).toEqual([[], [{ file: 'linked.py', reason: expect.stringContaining('a link') }]]);
  });
});

describe('describing', () => {
  it('runs no check', async () => {
    putCheck('dates.py', 'dates', ['open("Ran.md", "w")'], { title: 'Dates' });
    const { described } = await scripts().describe(settings());
    expect(described).toMatchObject([{ kind: 'check', description: { name: 'dates', title: 'Dates' } }]);
  });
});

describe('scripts', () => {
  it.each([
    ['that are switched off', () => putCheck('a.py', 'a'), { run: false } as const, /switched off/],
    ['that this process could change', () => putCheck('a.py', 'a'), { run: 'auto' } as const, /could change/],
    ['of a vault without any', () => {}, {}, /has no folder/],
    ['in a folder that is a file', () => put('.scripts', ''), {}, /is a file/],
    ['in a folder that is a link', () => symlinkSync('/tmp', join(at.path, '.scripts')), {}, /is a link/],
  ])('%s are not run, which is said', async (_what, prepare, over, reason) => {
    prepare();
    const { state, results } = await check(over);
    const isAbsent = reason.test('has no folder');
    expect([state, results]).toEqual([
      { run: false, reason: expect.stringMatching(reason), confined: null, isAbsent },
      [],
    ]);
  });

  it('run one after the other, and once for all who ask meanwhile', async () => {
    const lines = ['found(str(time.monotonic_ns()))', 'time.sleep(0.2)', 'found(str(time.monotonic_ns()))'];
    for (const name of ['a', 'b', 'c']) putCheck(`${name}.py`, name, lines);
    const all = scripts();
    const [first, second, third] = await Promise.all([
      all.check(settings()),
      all.check(settings()),
      all.describe(settings()).then(() => all.check(settings())),
    ]);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    const times = first.results.flatMap(({ findings }) => findings.map(({ id }) => BigInt(id)));
    expect(times).toEqual([...times].sort((x, y) => (x < y ? -1 : 1)));
    expect(times).toHaveLength(6);
  });

  it('that change while one runs are not run after it', async () => {
    for (const name of ['a', 'b', 'c']) putCheck(`${name}.py`, name, ['time.sleep(0.5)']);
    const all = scripts();
    const asked = all.check(settings());
    // Whoever it is, a script behind a wall cannot: here the test, while the first of them describes itself or runs.
    await vi.waitFor(() => expect(processesNaming(at.path)).not.toEqual([]), { timeout: 10_000, interval: 10 });
    putCheck('c.py', 'c', ['found("another")']);
    const { results, changedDuring, refused, state } = await asked;
    expect(changedDuring).toMatch(/^[abc]\.py$/);
    expect(state.reason).toMatch(/was changed while/);
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    expect([...results.filter(({ status }) => status === 'could_not_run'), ...refused].length).toBeGreaterThan(0);
  });

  it('that cannot be watched for a change are run all the same, which is said', async () => {
    putCheck('a.py', 'a');
    mkdirSync(join(at.path, '.scripts/lib'));
    for (let n = 0; n <= MAX_ENTRIES; n++) symlinkSync('nowhere', join(at.path, '.scripts/lib', String(n)));
    const { results, state, changedDuring } = await check();
    expect([results.map(({ status }) => status), state.run, changedDuring]).toEqual([['ok'], true, null]);
    expect(state.reason).toContain(`cannot be told (it holds more than ${MAX_ENTRIES} files and folders)`);
    const automatic = await check({ run: 'auto' });
    expect(automatic.state).toMatchObject({ run: false, reason: expect.stringContaining('cannot be told (it holds') });
  });

  it('that fail to be looked at fail for who asked, and for nobody after', async () => {
    putCheck('a.py', 'a');
    const all = scripts();
    expect((await all.check(settings())).results).toHaveLength(1);
    rmSync(join(at.path, '.scripts'), { recursive: true });
    expect((await all.check(settings())).results).toEqual([]);
  });
});

describe('the script for callouts', () => {
  const callouts = async (...lines: string[]) => {
    put('.scripts/extract_callouts.py', lines.join('\n'));
    return (await scripts().callouts(settings())).read;
  };

  it('gives a list in place of the built-in one', async () => {
    const print = 'print(json.dumps({"callouts": [{"note": "Home.md", "title": " ".join(sys.argv[1:])}], "count": 1}))';
    const title = `--json --vault-path ${at.path}`;
    expect(await callouts('import json, sys', print)).toEqual({
      value: { callouts: [{ note: 'Home.md', severity: 'info', title, body: '' }], total: 1 },
    });
  });

  it('is no check', async () => {
    put('.scripts/extract_callouts.py', checkOf('callouts'));
    expect(await check()).toMatchObject({ results: [], others: [] });
  });

  it.each([
    ['crashes', 'raise RuntimeError()', /ended with 1/],
    ['prints no JSON', 'print("x")', /no JSON object/],
    ['prints a list', 'print("[]")', /no JSON object/],
    ['prints no callouts', 'print("{}")', /no list "callouts"/],
    ['prints callouts that are none', 'print(\'{"callouts": [1]}\')', /a callout must be an object \(at \[0\]\)/],
  ])('is of no use when it %s', async (_what, program, problem) => {
    expect(await callouts(program)).toEqual({ problem: expect.stringMatching(problem) });
  });

  it('keeps nobody waiting for checks that run where it is not there', async () => {
    putCheck('slow.py', 'slow', ['time.sleep(1)']);
    const all = scripts();
    const ended: string[] = [];
    await Promise.all([
      all.check(settings()).then(() => ended.push('checks')),
      all.callouts(settings()).then(() => ended.push('callouts')),
    ]);
    expect(ended).toEqual(['callouts', 'checks']);
  });

  it('is not there, or not run, which is told apart', async () => {
    expect(await scripts().callouts(settings())).toMatchObject({ state: { reason: null }, read: null });
    put('.scripts/extract_callouts.py', '');
    const { state, read } = await scripts().callouts(settings({ run: false }));
    expect([state.reason, read]).toEqual([expect.stringContaining('switched off'), null]);
  });
});
