import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTempFolder, type TempFolder } from '../../../../test/support/temp-folder.ts';
import { silentLogger } from '../log.ts';
import type { VaultPath } from '../vault/path.ts';
import { type GitCommits, type GitCommitsOptions, openGitCommits } from './git-commits.ts';
import { type RunGit, runGit } from './git-run.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;
const isRoot = process.getuid?.() === 0;
const PATH = process.env.PATH ?? '';
const PAGE = 'Wiki/ada.md' as VaultPath;

let folder: TempFolder;
let root: string;
let opened: GitCommits[];

beforeEach(async () => {
  folder = await createTempFolder('git');
  root = join(folder.path, 'vault');
  opened = [];
  await mkdir(join(root, 'Wiki'), { recursive: true });
  await mkdir(join(folder.path, 'home'));
});

afterEach(async () => {
  for (const commits of opened) commits.close();
  await folder.remove();
});

const places = () => ({ PATH, HOME: join(folder.path, 'home') });

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, env: places(), encoding: 'utf8' }).trim();
}

function begin(): void {
  git('init', '--quiet', '--initial-branch=main');
}

function open(options: Partial<GitCommitsOptions> = {}): GitCommits {
  const commits = openGitCommits({ root, mode: 'auto', places: places(), logger: silentLogger(), ...options });
  opened.push(commits);
  return commits;
}

const write = (path: string, text: string) => writeFile(join(root, path), text);
const commitOf = (commits: GitCommits, path = PAGE, waitMs?: number) =>
  commits.commit({ paths: [path], agent: 'scribe', message: `wiki-append ${path}` }, waitMs);
const log = (format: string) => git('log', `--format=${format}`).split('\n');

/** Finds a work tree at once; what else it is asked for is another's to answer. */
const inWorkTree =
  (answer: RunGit): RunGit =>
  (...call) =>
    call[1].includes('--show-toplevel') ? Promise.resolve({ exitCode: 0, stdout: root, stderr: '' }) : answer(...call);

describe.skipIf(!hasGit)('a commit of one page', () => {
  it('holds exactly the page, new or changed, and names its author', async () => {
    begin();
    await write(PAGE, 'one\n');
    await write('other.md', 'a person’s\n');
    const commits = open();
    const first = await commitOf(commits);
    expect(first).toEqual({ state: 'committed', commit: git('rev-parse', 'HEAD') });
    await write(PAGE, 'two\n');
    expect(await commitOf(commits)).toMatchObject({ state: 'committed' });
    expect(log('%an|%ae|%cn|%s')).toEqual(
      Array(2).fill('scribe|scribe@vault-mcp.invalid|vault-mcp|wiki-append Wiki/ada.md'),
    );
    expect(git('show', '--name-only', '--format=', 'HEAD')).toBe(PAGE);
    expect(git('status', '--porcelain')).toBe('?? other.md');
  });

  it('leaves staged what a person staged elsewhere, and changed what they changed', async () => {
    begin();
    await write('staged.md', 'a\n');
    await write('changed.md', 'a\n');
    git('add', '.');
    git('-c', 'user.name=p', '-c', 'user.email=p@x', 'commit', '-qm', 'first');
    await write('staged.md', 'b\n');
    git('add', 'staged.md');
    await write('changed.md', 'b\n');
    await write(PAGE, 'one\n');
    expect(await commitOf(open())).toMatchObject({ state: 'committed' });
    expect(
      git('status', '--porcelain')
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(['M changed.md', 'M  staged.md']);
  });

  it('of a page that is as it was committed names the commit that it has', async () => {
    begin();
    await write(PAGE, 'one\n');
    const commits = open();
    const first = await commitOf(commits);
    expect(await commitOf(commits)).toEqual(first);
    expect(log('%s')).toHaveLength(1);
  });

  it('takes names literally, and no author that git would read otherwise', async () => {
    begin();
    const path = 'Wiki/:(glob)*.md' as VaultPath;
    await write(path, 'one\n');
    await write('Wiki/x.md', 'not it\n');
    const made = await open().commit({ paths: [path], agent: 'a <b> c', message: 'm' });
    expect(made).toMatchObject({ state: 'committed' });
    expect(log('%an|%ae')).toEqual(['a  b  c|a-b-c@vault-mcp.invalid']);
    expect(git('status', '--porcelain')).toBe('?? Wiki/x.md');
  });

  it('works in a folder of a larger work tree', async () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder.path, env: places() });
    await write(PAGE, 'one\n');
    expect(await commitOf(open())).toMatchObject({ state: 'committed' });
    expect(git('show', '--name-only', '--format=', 'HEAD')).toBe(`vault/${PAGE}`);
  });

  it('runs no hook, no signer and no monitor', async () => {
    begin();
    const mark = join(folder.path, 'ran');
    const script = join(folder.path, 'program');
    await writeFile(script, `#!/bin/sh\ntouch ${mark}\nsleep 600\n`);
    await chmod(script, 0o755);
    for (const hook of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-index-change']) {
      await writeFile(join(root, '.git/hooks', hook), await readFile(script));
      await chmod(join(root, '.git/hooks', hook), 0o755);
    }
    for (const [key, value] of [
      ['core.fsmonitor', script],
      ['commit.gpgSign', 'true'],
      ['gpg.program', script],
      ['log.showSignature', 'true'],
    ]) {
      git('config', key as string, value as string);
    }
    await write(PAGE, 'one\n');
    const commits = open();
    await commits.beforeWrite(PAGE);
    expect(await commitOf(commits)).toMatchObject({ state: 'committed' });
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });
});

describe.skipIf(!hasGit)('before a page is written', () => {
  it('what a person changed there is committed as theirs', async () => {
    begin();
    git('config', 'user.name', 'Pat');
    git('config', 'user.email', 'pat@example.org');
    await write(PAGE, 'mine\n');
    const commits = open();
    await commits.beforeWrite(PAGE);
    expect(log('%an <%ae>: %s')).toEqual([`Pat <pat@example.org>: Edits before vault-mcp's change of ${PAGE}`]);
    await commits.beforeWrite(PAGE);
    expect(log('%s')).toHaveLength(1);
  });

  it('it is the owner’s where the repository knows no user, and nothing where nothing was changed', async () => {
    begin();
    const commits = open();
    await commits.beforeWrite(PAGE);
    await write(PAGE, 'mine\n');
    await commits.beforeWrite(PAGE);
    expect(log('%an <%ae>')).toEqual(['owner <owner@localhost>']);
  });

  it('what was written for an agent and could not be committed is not taken for a person’s', async () => {
    begin();
    await write(PAGE, 'fact one\n');
    await write('.git/index.lock', '');
    let now = 0;
    const commits = open({ clock: () => (now += 1000) });
    expect(await commitOf(commits)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/index\.lock/) });
    expect(await commitOf(commits)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/left alone/) });
    now += 30_000;
    await rm(join(root, '.git/index.lock'));
    await commits.beforeWrite(PAGE);
    await write(PAGE, 'fact one\nfact two\n');
    expect(await commitOf(commits)).toMatchObject({ state: 'committed' });
    expect(log('%an')).toEqual(['scribe']);
  });
});

describe.skipIf(!hasGit)('a commit that cannot be made', () => {
  it('is off where there is no repository, or it is so chosen; and failed where it was asked for', async () => {
    await write(PAGE, 'one\n');
    expect(await commitOf(open())).toEqual({ state: 'off' });
    expect(await commitOf(open({ mode: 'on' }))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/no git work tree/),
    });
    begin();
    expect(await commitOf(open({ mode: 'off' }))).toEqual({ state: 'off' });
    expect(git('status', '--porcelain')).toBe('?? Wiki/');
  });

  it('waits for another git that holds the index, and is made then', async () => {
    begin();
    await write(PAGE, 'one\n');
    await write('.git/index.lock', '');
    const made = commitOf(open());
    await new Promise((resolve) => setTimeout(resolve, 250));
    await rm(join(root, '.git/index.lock'));
    expect(await made).toMatchObject({ state: 'committed' });
  });

  it('says what holds it, without a path of this machine', async () => {
    begin();
    await write(PAGE, 'one\n');
    await write('.git/index.lock', '');
    const made = await commitOf(open(), PAGE, 200);
    expect(made).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/index\.lock.*File exists.*another git/),
    });
    expect(made.reason).not.toContain(folder.path);
  });

  it('of an ignored page, or in the middle of a merge, says so', async () => {
    begin();
    await write('.gitignore', 'Wiki/\n');
    await write(PAGE, 'one\n');
    expect(await commitOf(open())).toMatchObject({ state: 'failed', reason: expect.stringMatching(/ignored/) });
    await rm(join(root, '.gitignore'));
    git('add', '.');
    git('-c', 'user.name=p', '-c', 'user.email=p@x', 'commit', '-qm', 'first');
    await write('.git/MERGE_HEAD', `${git('rev-parse', 'HEAD')}\n`);
    await write(PAGE, 'two\n');
    expect(await commitOf(open())).toMatchObject({ state: 'failed', reason: expect.stringMatching(/merge/) });
  });

  it.skipIf(!isRoot)('in a repository of somebody else says so', async () => {
    begin();
    for (const path of [root, join(root, '.git')]) chownSync(path, 12_345, 12_345);
    await write(PAGE, 'one\n');
    const made = await commitOf(open());
    expect(made).toMatchObject({ state: 'failed', reason: expect.stringMatching(/dubious ownership/) });
    expect(made.reason).not.toContain(folder.path);
  });

  it('that never ends is answered in time, and the next one at once', async () => {
    begin();
    await write(PAGE, 'one\n');
    const clock = { now: 0 };
    const asked: string[] = [];
    const hangs: RunGit = (_root, args, { signal }) =>
      new Promise((resolve) => {
        asked.push(args[0] as string);
        signal?.addEventListener('abort', () => resolve({ problem: 'ended', reason: 'ended' }));
      });
    const commits = open({ run: inWorkTree(hangs), clock: () => clock.now });
    expect(await commitOf(commits, PAGE, 50)).toMatchObject({ state: 'pending' });
    expect(await commitOf(commits, PAGE, 50)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/left alone/),
    });
    expect(asked).toEqual(['symbolic-ref']);
    clock.now += 30_001;
    expect(await commitOf(commits, PAGE, 50)).toMatchObject({ state: 'pending' });
    commits.close();
    expect(await commitOf(commits, PAGE, 50)).toMatchObject({ state: 'failed' });
  });

  it('goes on after it was answered, and is made', async () => {
    begin();
    await write(PAGE, 'one\n');
    let goOn = (): void => undefined;
    const allowed = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const waits: RunGit = (...call) => allowed.then(() => runGit(...call));
    const commits = open({ run: inWorkTree(waits) });
    expect(await commitOf(commits, PAGE, 50)).toMatchObject({ state: 'pending' });
    goOn();
    await expect.poll(() => git('status', '--porcelain'), { timeout: 10_000 }).toBe('');
  });
});

describe('without git', () => {
  it('nothing is committed, and that is said where it was asked for', async () => {
    await write(PAGE, 'one\n');
    const nowhere = { PATH: join(folder.path, 'home') };
    await open({ places: nowhere }).beforeWrite(PAGE);
    expect(await commitOf(open({ places: nowhere }))).toEqual({ state: 'off' });
    expect(await commitOf(open({ places: nowhere, mode: 'on' }))).toEqual({
      state: 'failed',
      reason: 'git is not installed here',
    });
  });
});
