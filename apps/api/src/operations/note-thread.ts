/**
 * Work on long notes, off the event loop: one task at a time, each on a thread of its own that ends afterwards. Danger:
 * all who are given the same thread wait for each other, some of them holding a note's lock; so none waits for long, and
 * nothing is worked on that nobody waits for any more.
 */
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '@vault-mcp/shared/errors';
import { doTask, type NoteTask, type TaskResults } from './note-tasks.ts';

/** UTF-16 units worked on at once: some 15 to 100 ms; a thread takes 50 to start. */
const AT_ONCE = 100_000;
/** A character of YAML takes up to six times as long to parse as one of markdown: 0.6 s for 100 kB. */
export const YAML_WEIGHT = 6;
/** Ten times what 5 MB of the worst text took to parse. */
const TIMEOUT_MS = 30_000;
/** Heap of the thread, in MiB: twice what is enough for 5 MB of the greediest texts that were tried. */
const MAX_MB = 1024;
/** How long a task waits for those before it: as long as a call waits for a path (lock.ts). */
const WAIT_MS = 30_000;

/** What a task came to, or the refusal it ended in. */
export type ThreadReply = { readonly result: unknown } | { readonly code: ErrorCode; readonly message: string };

export interface NoteThreadOptions {
  /** What a caller does about a note that takes too long; a sentence. */
  readonly advice: string;
  readonly atOnce?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** How long a task waits for its turn, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** Most heap that a task may take, in MiB. */
  readonly maxMb?: number | undefined;
  /** The thread's compiled entry; tests name their own. */
  readonly entry?: URL | undefined;
}

export interface NoteThread {
  /**
   * @param weight what the task costs, in UTF-16 units of markdown that are parsed in the same time: light ones are done
   * at once
   * @param signal gives the task up, whether it waits or is being worked on
   * @throws AppError what `doTask` throws; `note_too_large` when it takes too long or too much memory; `locked` when its turn does not come in
   * time, or when it is given up (the signal's reason, where that is an AppError)
   */
  run<T extends NoteTask>(task: T, weight: number, signal?: AbortSignal): Promise<TaskResults[T['about']]>;
}

export function createNoteThread(options: NoteThreadOptions): NoteThread {
  const { advice, atOnce = AT_ONCE, timeoutMs = TIMEOUT_MS, maxMb = MAX_MB } = options;
  const entry = options.entry ?? threadEntry(import.meta.url);
  const inTurn = createTurns(options.waitMs ?? WAIT_MS);
  return {
    async run<T extends NoteTask>(task: T, weight: number, signal?: AbortSignal) {
      if (weight <= atOnce) return doTask(task);
      const result = await inTurn(() => onThread(entry, task, { timeoutMs, maxMb, advice, signal }), signal);
      return result as TaskResults[T['about']];
    },
  };
}

/** Does one thing after the other; what is given up or waits too long is left out. */
function createTurns(waitMs: number) {
  const waiting = new Set<() => Promise<void>>();
  let isBusy = false;
  const serve = (): void => {
    const [next] = waiting;
    isBusy = next !== undefined;
    if (next === undefined) return;
    waiting.delete(next);
    void next().finally(serve);
  };
  return <T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(givenUp(signal));
      const stopWaiting = (): void => {
        waiting.delete(begin);
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const begin = (): Promise<void> => {
        stopWaiting();
        return work().then(resolve, reject);
      };
      const refuse = (error: AppError): void => {
        stopWaiting();
        reject(error);
      };
      const onAbort = (): void => refuse(givenUp(signal));
      const timer = setTimeout(() => refuse(notInTime(waitMs)), waitMs);
      signal?.addEventListener('abort', onAbort);
      waiting.add(begin);
      if (!isBusy) serve();
    });
}

function notInTime(waitMs: number): AppError {
  const seconds = Math.round(waitMs / 1000);
  const message = `Other long notes were still being worked on after ${seconds} seconds, so this one was not begun: try again in a moment.`;
  return new AppError('locked', message);
}

function givenUp(signal: AbortSignal | undefined): AppError {
  const reason: unknown = signal?.reason;
  if (reason instanceof AppError) return reason;
  return new AppError('locked', 'The caller left before this was done: it was given up.', { cause: reason });
}

interface ThreadRun extends Pick<NoteThreadOptions, 'advice'> {
  readonly timeoutMs: number;
  readonly maxMb: number;
  readonly signal: AbortSignal | undefined;
}

function onThread(entry: URL, task: NoteTask, run: ThreadRun): Promise<unknown> {
  const { timeoutMs, maxMb, advice, signal } = run;
  return new Promise((resolve, reject) => {
    // Nothing of the process: no environment (keys), no flags; and standard output may be speaking MCP.
    const bare = { env: {}, execArgv: [], stdout: true, stderr: true };
    const worker = new Worker(entry, { workerData: task, ...bare, resourceLimits: { maxOldGenerationSizeMb: maxMb } });
    const end = (error: AppError): void => {
      reject(error);
      void worker.terminate();
    };
    const timer = setTimeout(() => {
      end(new AppError('note_too_large', `This takes too long with a note like this: ${advice}`));
    }, timeoutMs);
    const onAbort = (): void => end(givenUp(signal));
    signal?.addEventListener('abort', onAbort);
    worker.once('message', (reply: ThreadReply) => {
      if ('code' in reply) reject(new AppError(reply.code, reply.message));
      else resolve(reply.result);
    });
    worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuchMemory(run, error) : error));
    worker.once('exit', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(new Error(`The thread that works on a note ended without an answer (${code}).`));
    });
  });
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooMuchMemory({ maxMb, advice }: ThreadRun, cause: unknown): AppError {
  const message = `This takes more than ${maxMb} MiB of memory with a note like this: ${advice}`;
  return new AppError('note_too_large', message, { cause });
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  const source = here.endsWith('.ts');
  return new URL(source ? '../../dist/operations/note-thread-entry.js' : './note-thread-entry.js', here);
}
