import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { silentLogger } from '../log.ts';
import type { VaultPath } from '../vault/path.ts';
import { type GitCommits, openGitCommits } from './git-commits.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const PAGE = 'Wiki/ada.md' as VaultPath;

let folder: TempFolder;
let commits: GitCommits;

beforeEach(async () => {
  folder = await createTempFolder('git');
  await mkdir(join(folder.path, 'Wiki'));
  commits = openGitCommits({ root: folder.path, mode: 'auto', places: places(), logger: silentLogger() });
});

afterEach(async () => {
  commits.close();
  await folder.remove();
});

const places = () => ({ PATH: process.env.PATH ?? '', HOME: folder.path });
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: folder.path, env: places(), encoding: 'utf8', stdio: 'pipe' }).trim();
const write = (path: string, text: string) => writeFile(join(folder.path, path), text);
const commit = () => commits.commit({ paths: [PAGE], agent: 'scribe', message: `wiki-append ${PAGE}` });
const log = () => git('log', '--format=%s').split('\n');

function begin(): void {
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'p');
  git('config', 'user.email', 'p@x');
}

function commitAll(message: string): void {
  git('add', '.');
  git('commit', '--quiet', '-m', message);
}

describe.skipIf(!hasGit)('a commit of a page that git may not hold', () => {
  const NOT_HELD = { state: 'failed', reason: 'git does not hold this path: another repository, or it is ignored' };

  it('in a repository within the repository says so', async () => {
    begin();
    await write('other.md', 'a\n');
    commitAll('first');
    execFileSync('git', ['init', '--quiet'], { cwd: join(folder.path, 'Wiki'), env: places() });
    await write(PAGE, 'one\n');
    expect(await commit()).toEqual(NOT_HELD);
    expect(log()).toEqual(['first']);
  });

  it('that git was told not to look at is never answered as made', async () => {
    begin();
    await write(PAGE, 'one\n');
    await commit();
    git('update-index', '--skip-worktree', PAGE);
    await write(PAGE, 'one\ntwo\n');
    expect(await commit()).toMatchObject({ state: 'failed', reason: expect.stringMatching(/matched paths/) });
    expect(git('show', `HEAD:${PAGE}`)).toBe('one');
  });

  it('that it keeps with other line ends is that of the page as it was committed', async () => {
    begin();
    git('config', 'core.autocrlf', 'true');
    await write(PAGE, 'one\r\n');
    const first = await commit();
    expect(await commit()).toEqual(first);
  });
});

describe.skipIf(!hasGit)('a commit that a person would lose', () => {
  const ON_NO_BRANCH = { state: 'failed', reason: 'a rebase or bisect is under way, or HEAD is detached' };

  beforeEach(async () => {
    begin();
    for (const text of ['1\n', '2\n', '3\n']) {
      await write('other.md', text);
      commitAll(text);
    }
  });

  /** Of a page that is changed, by an agent and by a person. */
  async function refused(): Promise<void> {
    await write(PAGE, 'one\n');
    const head = git('rev-parse', 'HEAD');
    expect(await commits.beforeWrite(PAGE)).toEqual(ON_NO_BRANCH);
    expect(await commit()).toEqual(ON_NO_BRANCH);
    expect(git('rev-parse', 'HEAD')).toBe(head);
    expect(git('status', '--porcelain', '--untracked-files=all', '--', PAGE)).toBe(`?? ${PAGE}`);
  }

  it('is not made while HEAD is detached, and is made once it is on a branch again', async () => {
    git('checkout', '--quiet', '--detach');
    await refused();
    git('checkout', '--quiet', 'main');
    expect(await commit()).toMatchObject({ state: 'committed' });
  });

  it.each(['--merge', '--apply'])('is not made during a rebase: %s', async (way) => {
    git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
    await write('other.md', 'another\n');
    commitAll('another');
    expect(() => git('rebase', way, 'main')).toThrow();
    await refused();
    git('rebase', '--abort');
    expect(await commit()).toMatchObject({ state: 'committed' });
  });

  it('is not made while mails are applied, which leaves HEAD on its branch', async () => {
    const patch = git('format-patch', '--quiet', '-1', '--output-directory', join(folder.path, '.git'));
    expect(patch).toBe('');
    git('reset', '--quiet', '--hard', 'HEAD~2');
    expect(() => git('am', join(folder.path, '.git/0001-3.patch'))).toThrow();
    await refused();
    git('am', '--abort');
  });

  it('is not made during a bisect that has not gone anywhere yet', async () => {
    git('bisect', 'start');
    await refused();
    git('bisect', 'reset');
    expect(await commit()).toMatchObject({ state: 'committed' });
  });

  it('is made while another work tree of the repository is on no branch', async () => {
    const beside = join(folder.path, '.git', 'beside');
    git('worktree', 'add', '--quiet', '--detach', beside);
    await write(PAGE, 'one\n');
    expect(await commit()).toMatchObject({ state: 'committed' });
  });
});
