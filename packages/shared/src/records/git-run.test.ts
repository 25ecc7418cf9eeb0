import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { runGit } from './git-run.ts';

let folder: TempFolder;

beforeEach(async () => {
  folder = await createTempFolder('git-run');
});

afterEach(() => folder.remove());

/** A program of that name, in place of git. */
async function placesOf(script: string): Promise<Record<string, string>> {
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'git'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

describe.skipIf(process.platform === 'win32')('git', () => {
  it('that hangs is ended with what it started, by time or by whoever asked', async () => {
    // Its output stays open as long as anything of it runs, and so would the answer.
    const places = await placesOf('sleep 600 &\nwait');
    expect(await runGit(folder.path, [], { places, timeoutMs: 100 })).toMatchObject({ problem: 'ended' });
    const signal = AbortSignal.timeout(100);
    expect(await runGit(folder.path, [], { places, timeoutMs: 60_000, signal })).toMatchObject({ problem: 'ended' });
    expect(await runGit(folder.path, [], { places, timeoutMs: 60_000, signal })).toMatchObject({ problem: 'ended' });
  });

  it('is given no environment of ours, and constant options before what is asked', async () => {
    process.env.VAULT_MCP_TEST_SECRET = 'secret';
    try {
      const places = await placesOf('env; echo "$@"');
      const committer = { name: 'n', email: 'e' };
      const said = await runGit(folder.path, ['status'], { places, timeoutMs: 60_000, committer });
      if (!('stdout' in said)) throw new Error('it did not run');
      expect(said.stdout).toContain('GIT_LITERAL_PATHSPECS=1\n');
      expect(said.stdout).toContain('GIT_COMMITTER_NAME=n\n');
      expect(said.stdout).not.toContain('secret');
      expect(said.stdout).toMatch(/--no-pager -c core\.hooksPath=\/dev\/null .* status\n$/);
    } finally {
      delete process.env.VAULT_MCP_TEST_SECRET;
    }
  });

  it('may say more than is kept', async () => {
    const places = await placesOf('head -c 1000000 /dev/zero | tr "\\0" x; exit 3');
    const said = await runGit(folder.path, [], { places, timeoutMs: 60_000 });
    expect(said).toMatchObject({ exitCode: 3, stdout: 'x'.repeat(65_536) });
  });

  it('that is not there is missing', async () => {
    const places = { PATH: join(folder.path, 'nowhere') };
    expect(await runGit(folder.path, [], { places, timeoutMs: 60_000 })).toMatchObject({ problem: 'missing' });
  });

  it.skipIf(spawnSync('git', ['--version']).status !== 0)('says what the real one says', async () => {
    const places = { PATH: process.env.PATH ?? '' };
    const said = await runGit(folder.path, ['--version'], { places, timeoutMs: 60_000 });
    expect(said).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^git version /) });
  });
});
