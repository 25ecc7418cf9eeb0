/**
 * Asks questions of every note on a thread that looks at them all and remembers what it read: one for each vault, started
 * with the first question and kept. Danger: it waits for the disk, and the first question may take long; so nothing of it
 * runs on the thread that answers requests, nobody waits without an end, and what waits is bounded. A crash in there, or an
 * end by force, fails the question in hand and no other.
 */
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '@vault-mcp/shared/errors';
import type { ReadRules } from '@vault-mcp/shared/vault/access';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { SurveyAnswers, Surveyed, SurveyQuestion } from './survey.ts';
import { createSurveyTurns } from './survey-turns.ts';

/** For what lives no longer than a look at a file: 40 MB less than with the default, and hardly slower. */
const YOUNG_MB = 3;
/** For what is remembered, and the longest note beside it: what grows beyond is a defect or an attack. */
const OLD_MB = 256;
/** How long a question is worked on: a thousand times what 6 000 notes take whose stats are in memory. */
const RUN_MS = 5 * 60_000;

/** What is asked, as it goes to the thread. */
export interface SurveyRequest {
  /** In the spelling on disk. */
  readonly folder: VaultPath;
  /** Larger notes are left out; 0 = no limit. */
  readonly maxBytes: number;
  /** Globs on names of files that are nobody's business. */
  readonly ignore: readonly string[];
  /** What the asking caller may read; null: everything. */
  readonly readable: ReadRules | null;
  readonly question: SurveyQuestion;
}

/** What comes back: an answer or the refusal it ended in. */
export type SurveyReply = { readonly result: unknown } | { readonly code: ErrorCode; readonly message: string };

export interface SurveyThreadData {
  readonly root: string;
}

export interface SurveyThread {
  /**
   * Of the files as they are once it is asked, below a folder that was found there. Who asks the same before it is begun
   * shares the answer.
   *
   * @param wait how long the caller waits, in milliseconds, where that is not as long as others do
   * @throws AppError `not_found`, `invalid_path`, `unreadable` when the folder cannot be opened; `not_ready` when it takes too
   * long, or too many questions wait; `note_too_large` when the thread runs out of memory
   */
  ask<Q extends SurveyQuestion>(
    request: Omit<SurveyRequest, 'question'>,
    question: Q,
    wait?: number,
  ): Promise<Surveyed<SurveyAnswers[Q['about']]>>;
  /** Ends the thread and what waits for it; the next question starts another. */
  close(): Promise<void>;
}

export interface SurveyThreadOptions {
  /** The thread's compiled entry; tests name their own. */
  readonly entry?: URL | undefined;
  /** How long a question is worked on, in milliseconds. */
  readonly runMs?: number | undefined;
  /** How long somebody waits for an answer, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** Most that the thread may keep and work with, in MiB. */
  readonly maxMb?: number | undefined;
  /** How many different questions wait. */
  readonly maxWaiting?: number | undefined;
}

/** @param root the vault's own folder, as `vault.root` has it */
export function createSurveyThread(root: string, options: SurveyThreadOptions = {}): SurveyThread {
  const { entry = threadEntry(import.meta.url), runMs = RUN_MS, maxMb = OLD_MB } = options;
  let running: Worker | undefined;
  /** An end is told of more than once, and after the next has been started. */
  const forget = (worker: Worker): void => {
    if (running === worker) running = undefined;
  };
  const turns = createSurveyTurns<SurveyRequest>(
    (request) => {
      running ??= started(entry, root, { maxMb, forget });
      return answerOf(running, request, { runMs, maxMb, forget });
    },
    { ...options, canBeNarrower },
  );
  return {
    ask: <Q extends SurveyQuestion>(request: Omit<SurveyRequest, 'question'>, question: Q, wait?: number) =>
      turns.ask({ ...request, question }, wait) as Promise<Surveyed<SurveyAnswers[Q['about']]>>,
    async close() {
      turns.end(new AppError('not_ready', 'The server is stopping: ask again once it is back.'));
      await running?.terminate();
    },
  };
}

/** The questions of calls that take a folder. */
const OF_FOLDERS: ReadonlySet<SurveyQuestion['about']> = new Set(['frontmatter', 'expiries', 'callouts']);

function canBeNarrower({ question }: SurveyRequest): boolean {
  return OF_FOLDERS.has(question.about);
}

function started(entry: URL, root: string, { maxMb, forget }: Pick<ThreadRun, 'maxMb' | 'forget'>): Worker {
  const workerData: SurveyThreadData = { root };
  // Nothing of the process: no environment (keys), no flags; and standard output may be speaking MCP.
  const bare = { env: {}, execArgv: [], stdout: true, stderr: true };
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: maxMb };
  const worker = new Worker(entry, { workerData, ...bare, resourceLimits });
  // First of all listeners: whoever is told of the end asks the next thread.
  worker.once('error', () => forget(worker));
  worker.once('exit', () => forget(worker));
  return worker;
}

interface ThreadRun {
  readonly runMs: number;
  readonly maxMb: number;
  /** So that nothing more is asked of a thread that is being ended. */
  forget(worker: Worker): void;
}

/** One question at a time: whatever the thread says is said to it. */
function answerOf(worker: Worker, request: SurveyRequest, { runMs, maxMb, forget }: ThreadRun): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (reply: SurveyReply): void => {
      done();
      if ('code' in reply) reject(new AppError(reply.code, reply.message));
      else resolve(reply.result);
    };
    const onError = (error: unknown): void => {
      done();
      reject(isOutOfMemory(error) ? outOfMemory(error, maxMb, request) : error);
    };
    const onExit = (code: number): void => onError(new Error(`The thread that looks at notes ended (${code}).`));
    const timer = setTimeout(() => {
      forget(worker);
      onError(tooLong(runMs, request));
      void worker.terminate();
    }, runMs);
    const done = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      // An idle thread keeps no program from ending.
      worker.unref();
    };
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.ref();
    worker.postMessage(request);
  });
}

function tooLong(runMs: number, request: SurveyRequest): AppError {
  const message = `Looking at the notes took more than ${Math.round(runMs / 1000)} seconds and was given up. Is the vault's disk slow or gone? ${canBeNarrower(request) ? 'Ask for one folder (dir), or again later' : 'Ask again later'}.`;
  return new AppError('not_ready', message);
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function outOfMemory(cause: unknown, maxMb: number, request: SurveyRequest): AppError {
  const message = `Looking at the notes took more than ${maxMb} MiB: lower vault.note_max_bytes${canBeNarrower(request) ? ', or ask for one folder (dir)' : ''}.`;
  return new AppError('note_too_large', message, { cause });
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  const source = here.endsWith('.ts');
  return new URL(source ? '../../dist/checks/survey-thread-entry.js' : './survey-thread-entry.js', here);
}
