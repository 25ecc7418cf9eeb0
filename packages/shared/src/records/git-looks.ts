/**
 * What git is asked about a repository beside its commits. Danger: of a path that belongs to another repository, or that it was
 * told not to look at, git says that nothing is changed; only the blob that HEAD has of it is proof. And what is committed while
 * a person rebases, bisects or looks at an old commit goes with it when they are done.
 */
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { VaultPath } from '../vault/path.ts';
import type { GitEnd, GitOutcome } from './git-run.ts';

export type AskGit = (args: readonly string[]) => Promise<GitOutcome>;

export const NOT_HELD = 'git does not hold this path: another repository, or it is ignored';

export const ON_NO_BRANCH = 'a rebase or bisect is under way, or HEAD is detached';

/** Of the git dir; each is there while a person is at it. */
const UNDER_WAY = ['rebase-merge', 'rebase-apply', 'BISECT_LOG'];

export function isDone(outcome: GitOutcome): outcome is GitEnd & { readonly exitCode: 0 } {
  return 'exitCode' in outcome && outcome.exitCode === 0;
}

/** Whether HEAD has these files as they stand on the disk, in git's form of them. */
export async function holdsAll(ask: AskGit, paths: readonly VaultPath[]): Promise<boolean> {
  for (const path of paths) {
    const held = await ask(['rev-parse', '--verify', '--quiet', `HEAD:./${path}`]);
    if (!isDone(held)) return false;
    const there = await ask(['hash-object', '--', path]);
    if (!isDone(there) || there.stdout !== held.stdout) return false;
  }
  return true;
}

/**
 * Whether what is committed now stays on the branch that HEAD names, be it one without a commit yet.
 *
 * @returns the outcome of the git that could not tell
 */
export async function isOnBranch(ask: AskGit, root: string): Promise<boolean | GitOutcome> {
  const branch = await ask(['symbolic-ref', '--quiet', 'HEAD']);
  // 1: it is detached.
  if (!isDone(branch)) return 'exitCode' in branch && branch.exitCode === 1 ? false : branch;
  const places = await ask(['rev-parse', ...UNDER_WAY.flatMap((name) => ['--git-path', name])]);
  if (!isDone(places)) return places;
  const found = await Promise.all(places.stdout.split('\n').map((path) => path !== '' && isThere(resolve(root, path))));
  return !found.includes(true);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
