/**
 * Commits of exactly the paths that a call touched, where the vault is a git work tree. Danger: the repository is a person's.
 * What they staged or changed elsewhere is never taken along, what they changed in a page is committed as theirs before it is
 * written to, and nothing here is fatal: a fact that is on the disk is not lost because git is away, so every failure is an
 * answer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, reasonOf } from '../log.ts';
import type { VaultPath } from '../vault/path.ts';
import { type AskGit, holdsAll, isDone, isOnBranch, NOT_HELD, ON_NO_BRANCH } from './git-looks.ts';
import { type GitOutcome, type RunGit, runGit } from './git-run.ts';
import { COMMITTER, isHeldUp, OWNER, personOf, reasonFrom, written } from './git-words.ts';

/** `off`: nothing is committed here, by choice or because the vault is no work tree; `pending`: git is still at it. */
export interface CommitOutcome {
  readonly state: 'committed' | 'off' | 'failed' | 'pending';
  /** Its hash. */
  readonly commit?: string;
  /** Why not. */
  readonly reason?: string;
}

export interface Commit {
  /** Exactly what was touched, in the spelling on disk. */
  readonly paths: readonly VaultPath[];
  /** Its author. */
  readonly agent: string;
  readonly message: string;
}

export interface GitCommits {
  /**
   * Before a path is written to: commits what a person changed there, as theirs. Never rejects; waits five seconds at the
   * most. The caller holds the path.
   *
   * @returns `committed` when git says that nothing is changed there: no proof that it holds the page
   */
  beforeWrite(path: VaultPath): Promise<CommitOutcome>;
  /** Never rejects. @param waitMs how long the answer may take; git goes on then */
  commit(commit: Commit, waitMs?: number): Promise<CommitOutcome>;
  /** Ends what still runs; nothing is committed any more. Idempotent. */
  close(): void;
}

export interface GitCommitsOptions {
  /** The vault's folder. */
  readonly root: string;
  /** history.git */
  readonly mode: 'auto' | 'on' | 'off';
  /** See gitPlaces in config/load. */
  readonly places: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly run?: RunGit;
  /** Milliseconds that only grow; tests pass their own. */
  readonly clock?: () => number;
}

/** How long an answer waits (SPEC §15). */
const WAIT_MS = 5_000;
/** After which git is ended. */
const RUN_MS = 60_000;
const LOCK_PAUSE_MS = 100;
/** Of the wait, how much goes into waiting for another git: the rest is for saying what holds it. */
const HELD_UP_SHARE = 0.8;
/** How long git is left alone that did not answer in time, or was held up for all of it. */
const REST_MS = 30_000;
/** How long it is believed whether there is a work tree. */
const LOOK_MS = 60_000;

const OWED: CommitOutcome = { state: 'failed', reason: 'what was written there before could not be committed yet' };

export function openGitCommits(options: GitCommitsOptions): GitCommits {
  return new Commits(options);
}

/** Null: a work tree. */
type Refusal = CommitOutcome | null;

class Commits implements GitCommits {
  readonly #options: GitCommitsOptions;
  readonly #clock: () => number;
  readonly #closing = new AbortController();
  /** The end of what was asked for last: one git at a time. */
  #last: Promise<unknown> = Promise.resolve();
  /** While git is left alone, and why. */
  #rest: { readonly until: number; readonly reason: string } | undefined;
  #looked: { readonly until: number; readonly refusal: Refusal } | undefined;
  /** Written to, and not committed yet: what is changed there is not a person's, or not theirs alone. */
  readonly #owed = new Set<VaultPath>();

  constructor(options: GitCommitsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  async beforeWrite(path: VaultPath): Promise<CommitOutcome> {
    if (this.#owed.has(path)) return OWED;
    const outcome = await this.#inTime(WAIT_MS, (deadline) => this.#commitOwners(path, deadline));
    if (outcome.state === 'failed' || outcome.state === 'pending') {
      this.#options.logger.warn(
        { path, reason: outcome.reason },
        'what was changed in a page could not be committed first',
      );
    }
    return outcome;
  }

  async commit(commit: Commit, waitMs = WAIT_MS): Promise<CommitOutcome> {
    for (const path of commit.paths) this.#owed.add(path);
    const outcome = await this.#inTime(waitMs, async (deadline) => {
      const made = await this.#commitPaths(
        commit.paths,
        commit.message,
        ['--author', written(personOf(commit.agent))],
        deadline,
      );
      if (made.state === 'committed' || made.state === 'off') for (const path of commit.paths) this.#owed.delete(path);
      return made;
    });
    if (outcome.state === 'failed') {
      this.#options.logger.warn({ paths: commit.paths, reason: outcome.reason }, 'a change could not be committed');
    }
    return outcome;
  }

  close(): void {
    this.#closing.abort();
  }

  /** In turn, and answered in time whatever git does. */
  async #inTime(waitMs: number, work: (deadline: number) => Promise<CommitOutcome>): Promise<CommitOutcome> {
    if (this.#options.mode === 'off') return { state: 'off' };
    const rest = this.#rest;
    if (rest !== undefined && this.#clock() < rest.until) return { state: 'failed', reason: rest.reason };
    const deadline = this.#clock() + waitMs * HELD_UP_SHARE;
    let begun = false;
    const done = this.#last.then(() => {
      begun = true;
      return this.#unlessClosed(() => work(deadline)).catch(failedUnexpectedly);
    });
    this.#last = done;
    const answered = new AbortController();
    const tooLate = pause(waitMs, undefined, { signal: answered.signal }).catch(() => undefined);
    const outcome = await Promise.race([done, tooLate]);
    answered.abort();
    if (outcome !== undefined) return outcome;
    // Who only waited for others says nothing of git.
    if (begun) this.#leaveAlone('git did not come to its end in time');
    return { state: 'pending', reason: 'git had not come to its end in time; it goes on' };
  }

  #leaveAlone(why: string): void {
    const until = this.#clock() + REST_MS;
    this.#rest = {
      until,
      reason: `${why} a moment ago, so it is left alone for half a minute: the next commit takes this along`,
    };
  }

  async #unlessClosed(work: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
    if (this.#closing.signal.aborted) return { state: 'failed', reason: 'the server is stopping' };
    return (await this.#refusal()) ?? work();
  }

  async #refusal(): Promise<Refusal> {
    if (this.#looked !== undefined && this.#clock() < this.#looked.until) return this.#looked.refusal;
    const refusal = refusalFrom(await this.#git(['rev-parse', '--show-toplevel']), this.#options.mode);
    // What failed may work the next time.
    this.#looked = refusal?.state === 'failed' ? undefined : { until: this.#clock() + LOOK_MS, refusal };
    return refusal;
  }

  async #commitOwners(path: VaultPath, deadline: number): Promise<CommitOutcome> {
    const dirty = await this.#git(['status', '--porcelain', '-z', '--untracked-files=all', '--', path]);
    if (!isDone(dirty)) return failed(dirty);
    if (dirty.stdout === '') return { state: 'committed' };
    const known = isDone(await this.#git(['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT']));
    const author = known ? [] : ['--author', written(OWNER)];
    return this.#commitPaths([path], `Edits before vault-mcp's change of ${path}`, author, deadline);
  }

  async #commitPaths(
    paths: readonly VaultPath[],
    message: string,
    author: readonly string[],
    deadline: number,
  ): Promise<CommitOutcome> {
    const ask: AskGit = (args) => this.#git(args);
    const onBranch = await isOnBranch(ask, this.#options.root);
    if (onBranch !== true) return onBranch === false ? { state: 'failed', reason: ON_NO_BRANCH } : failed(onBranch);
    // A new file is made known without being staged, so that what else is staged stays as it is.
    const added = await this.#unhindered(['add', '--intent-to-add', '--', ...paths], deadline);
    if (!isDone(added)) return failed(added);
    const args = [
      'commit',
      '--quiet',
      '--no-verify',
      '--no-gpg-sign',
      '--only',
      ...author,
      '-m',
      message,
      '--',
      ...paths,
    ];
    const made = await this.#unhindered(args, deadline);
    if (!isDone(made)) {
      const left = await this.#git(['status', '--porcelain', '-z', '--', ...paths]);
      // Of a page that is as it was committed, git says that there is nothing to do.
      if (!isDone(left) || left.stdout !== '') return failed(made);
      // And also of one that it does not look at.
      if (!(await holdsAll(ask, paths))) return { state: 'failed', reason: NOT_HELD };
    }
    const hash = await this.#git(['log', '-1', '--format=%H', '--', ...paths]);
    if (!isDone(hash)) return failed(hash);
    const commit = hash.stdout.trim();
    return commit === '' ? { state: 'failed', reason: NOT_HELD } : { state: 'committed', commit };
  }

  /** Again, as long as another git holds the repository. */
  async #unhindered(args: readonly string[], deadline: number): Promise<GitOutcome> {
    for (;;) {
      const outcome = await this.#git(args);
      if (!('stderr' in outcome) || outcome.exitCode === 0 || !isHeldUp(outcome.stderr)) return outcome;
      if (this.#closing.signal.aborted) return outcome;
      if (this.#clock() + LOCK_PAUSE_MS >= deadline) {
        this.#leaveAlone(`another git held the repository (${reasonFrom(outcome.stderr)})`);
        return outcome;
      }
      await pause(LOCK_PAUSE_MS);
    }
  }

  #git(args: readonly string[]): Promise<GitOutcome> {
    const { run = runGit, root, places } = this.#options;
    return run(root, args, { places, timeoutMs: RUN_MS, signal: this.#closing.signal, committer: COMMITTER });
  }
}

/** A defect: what was written stays written all the same. */
function failedUnexpectedly(error: unknown): CommitOutcome {
  return { state: 'failed', reason: reasonFrom(reasonOf(error)) };
}

function failed(outcome: GitOutcome): CommitOutcome {
  if ('problem' in outcome) return { state: 'failed', reason: outcome.reason };
  const reason = reasonFrom(outcome.stderr || outcome.stdout);
  const advice = isHeldUp(outcome.stderr)
    ? ' (another git is at work, or one that was ended left the file behind)'
    : '';
  return { state: 'failed', reason: reason + advice };
}

function refusalFrom(outcome: GitOutcome, mode: 'auto' | 'on' | 'off'): Refusal {
  if (isDone(outcome)) return null;
  const isNone =
    'problem' in outcome
      ? outcome.problem === 'missing'
      : /not a git repository|must be run in a work tree/.test(outcome.stderr);
  if (!isNone) return failed(outcome);
  if (mode === 'auto') return { state: 'off' };
  return 'problem' in outcome
    ? failed(outcome)
    : { state: 'failed', reason: 'the vault is in no git work tree, and history.git is on' };
}
