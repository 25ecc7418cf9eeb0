// How long the scripts of a vault run, each a real one: no longer than they have together, and for nobody.
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { checkingScripts, settings } from '../../../../../test/support/checking-scripts.ts';
import { processesNaming } from '../../../../../test/support/process-family.ts';
import type { PutFile } from '../../../../../test/support/vault-files.ts';

const at = checkingScripts();
const { scripts, check, putCheck } = at;
const put: PutFile = (...file) => at.put(...file);
/** Until a script that has described itself looks for findings. */
const untilRunning = (file: string) =>
  vi.waitFor(() => expect(processesNaming(`${join(at.path, '.scripts', file)}\0--json`)).not.toEqual([]), {
    ...{ timeout: 10_000, interval: 10 },
  });

describe('scripts', () => {
  it('have a time together, and those that it does not suffice for could not run', async () => {
    for (const name of ['a', 'b', 'c']) putCheck(`${name}.py`, name, name === 'a' ? ['time.sleep(60)'] : []);
    const { results, state } = await check({ totalSeconds: 5 });
    expect(results.map(({ file, status }) => `${file} ${status}`)).toEqual([
      'a.py could_not_run',
      'b.py could_not_run',
      'c.py could_not_run',
    ]);
    expect(results.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/longer than [1-5] seconds, what was left of the 5 for all scripts together/),
      'those before it took all of the 5 seconds that scripts have together',
      'those before it took all of the 5 seconds that scripts have together',
    ]);
    expect(state.reason).toContain('all of the 5 seconds');
  });

  it('that were not even asked what they are when the time was up could not run, by the names of their files', async () => {
    put('.scripts/a.py', 'import time\ntime.sleep(60)\n');
    putCheck('b.py', 'bees');
    const { results } = await check({ totalSeconds: 1 });
    expect(results.map(({ status, description: { name } }) => `${name} ${status}`)).toEqual([
      'a could_not_run',
      'b could_not_run',
    ]);
  });

  it('end when the last who waits for them has left, and run anew for who comes then', async () => {
    putCheck('a.py', 'a', ['while not os.path.exists("Go"): time.sleep(0.02)']);
    putCheck('b.py', 'b', ['found("b")']);
    const all = scripts();
    const [first, second] = [new AbortController(), new AbortController()];
    const asked = [all.check(settings(), first.signal), all.check(settings(), second.signal)];
    await untilRunning('a.py');
    first.abort();
    second.abort();
    const next = all.check(settings());
    const [left, too] = await Promise.all(asked);
    expect(too).toBe(left);
    const unwanted = 'nobody waits for the answer any more';
    expect(left?.results.map(({ status, reason }) => [status, reason])).toEqual([
      ['could_not_run', unwanted],
      ['could_not_run', unwanted],
    ]);
    put('Go', '');
    expect((await next).results.map(({ status }) => status)).toEqual(['ok', 'findings']);
  });

  it('go on when one who waits for them leaves, and another does not', async () => {
    putCheck('a.py', 'a', ['while not os.path.exists("Go"): time.sleep(0.02)', 'found("a")']);
    const all = scripts();
    const leaving = new AbortController();
    const asked = [all.check(settings(), leaving.signal), all.check(settings())];
    await untilRunning('a.py');
    leaving.abort();
    put('Go', '');
    const [, stayed] = await Promise.all(asked);
    expect(stayed?.results.map(({ status }) => status)).toEqual(['findings']);
  });
});
