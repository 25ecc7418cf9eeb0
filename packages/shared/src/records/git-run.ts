/**
 * Runs git in the vault. Danger: a repository's own configuration names programs (hooks, monitors, signers) which would run
 * as this server, and git may wait for ever: for a lock, a disk, a filter. So what it starts by itself is switched off, it is
 * given constant options and literal paths, no terminal and no environment of ours, and an end.
 */
import { type ChildProcess, spawn } from 'node:child_process';

export interface GitEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export type GitOutcome = GitEnd | { readonly problem: 'missing' | 'ended' | 'unstartable'; readonly reason: string };

export interface GitRunOptions {
  /** PATH and HOME, of which git is found and its user's settings are read. */
  readonly places: Readonly<Record<string, string>>;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Who a commit is made by, beside its author. */
  readonly committer?: { readonly name: string; readonly email: string };
}

export type RunGit = (root: string, args: readonly string[], options: GitRunOptions) => Promise<GitOutcome>;

/** What of a repository's configuration would run other programs, or answer otherwise than is expected here. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'commit.gpgSign': 'false',
  'log.showSignature': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};
const OPTIONS = ['--no-pager', ...Object.entries(OVERRIDES).flatMap(([key, value]) => ['-c', `${key}=${value}`])];

/** Kept of what it says, in characters; what is more is thrown away. */
const KEPT = 65_536;
/** How long it may take to end once it was told to: it takes its lock files away then. */
const ENDING_MS = 2_000;

/** Never rejects. */
export const runGit: RunGit = (root, args, options) =>
  new Promise((resolve) => {
    const child = spawn('git', [...OPTIONS, ...args], {
      cwd: root,
      env: environment(options),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: what ends this server from a terminal does not end a commit in the middle.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)];
    let wasEnded = false;
    const end = (): void => {
      wasEnded = true;
      endGroup(child, 'SIGTERM');
      setTimeout(() => endGroup(child, 'SIGKILL'), ENDING_MS).unref();
    };
    const timer = setTimeout(end, options.timeoutMs);
    if (options.signal?.aborted) end();
    else options.signal?.addEventListener('abort', end);
    const done = (outcome: GitOutcome): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', end);
      resolve(outcome);
    };
    child.once('error', (error: NodeJS.ErrnoException) => done(notStarted(error)));
    child.once('close', (code) => {
      if (wasEnded || code === null) done({ problem: 'ended', reason: 'git did not come to its end in time' });
      else done({ exitCode: code, stdout: stdout(), stderr: stderr() });
    });
  });

function environment({ places, committer }: GitRunOptions): NodeJS.ProcessEnv {
  return {
    ...places,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    // No look takes a lock, and nothing is fetched.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    ...(committer && { GIT_COMMITTER_NAME: committer.name, GIT_COMMITTER_EMAIL: committer.email }),
  };
}

function gathered(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < KEPT) text += part.slice(0, KEPT - text.length);
  });
  return () => text;
}

/** With whatever it started. */
function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A folder that is gone is said in the same way as a program that is not there. */
function notStarted(error: NodeJS.ErrnoException): GitOutcome {
  return error.code === 'ENOENT'
    ? { problem: 'missing', reason: 'git is not installed here' }
    : { problem: 'unstartable', reason: `git could not be started (${error.code ?? 'unknown'})` };
}
