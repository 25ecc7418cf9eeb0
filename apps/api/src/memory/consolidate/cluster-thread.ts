/**
 * Groups notes on a thread of its own, which ends afterwards and gives back what it took. Danger: it takes memory by the number
 * of near notes, so it has a bound, and only one runs at a time in a process.
 */
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '@vault-mcp/shared/errors';
import type { ClusteredNotes, ClusterTask } from './cluster-notes.ts';

/** What the most pairs that are allowed come to, and half as much again. */
const MAX_MB = 1024;
/** A hundred times what 5 000 notes take. */
const TIMEOUT_MS = 2 * 60_000;

/** What comes back: the groups, or the refusal it ended in. */
export type ClusterReply = { readonly result: ClusteredNotes } | { readonly code: ErrorCode; readonly message: string };

export interface ClusterThreadOptions {
  /** Gives it up, with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly maxMb?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** The thread's compiled entry; tests name their own. */
  readonly entry?: URL | undefined;
}

let last: Promise<unknown> = Promise.resolve();

/** @throws AppError what clusterNotes throws; `invalid_request` when it takes too long or too much; the signal's reason */
export function clusterOnThread(task: ClusterTask, options: ClusterThreadOptions = {}): Promise<ClusteredNotes> {
  const mine = last.then(() => run(task, options));
  last = mine.catch(() => undefined);
  return mine;
}

function run(task: ClusterTask, options: ClusterThreadOptions): Promise<ClusteredNotes> {
  const { signal, maxMb = MAX_MB, timeoutMs = TIMEOUT_MS, entry = threadEntry(import.meta.url) } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(givenUp(signal));
    // Nothing of the process: no environment (keys), no flags; and standard output may be speaking MCP.
    const bare = { env: {}, execArgv: [], stdout: true, stderr: true };
    const worker = new Worker(entry, { workerData: task, ...bare, resourceLimits: { maxOldGenerationSizeMb: maxMb } });
    const end = (error: unknown): void => {
      reject(error);
      void worker.terminate();
    };
    const timer = setTimeout(() => end(tooMuch(`took more than ${Math.round(timeoutMs / 1000)} seconds`)), timeoutMs);
    const onAbort = (): void => end(givenUp(signal));
    signal?.addEventListener('abort', onAbort);
    worker.once('message', (reply: ClusterReply) => {
      if ('code' in reply) reject(new AppError(reply.code, reply.message));
      else resolve(reply.result);
    });
    worker.once('error', (error) => {
      reject(isOutOfMemory(error) ? tooMuch(`took more than ${maxMb} MiB`, error) : error);
    });
    worker.once('exit', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reject(new Error(`The thread that groups notes ended without an answer (${code}).`));
    });
  });
}

function tooMuch(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `Grouping the notes ${what} and was given up: lower the ceiling.`, { cause });
}

function givenUp(signal: AbortSignal | undefined): unknown {
  const reason: unknown = signal?.reason;
  if (reason instanceof AppError) return reason;
  return new AppError('locked', 'The caller left before the notes were grouped: nothing was done.', { cause: reason });
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  const source = here.endsWith('.ts');
  const compiled = '../../../dist/memory/consolidate/cluster-thread-entry.js';
  return new URL(source ? compiled : './cluster-thread-entry.js', here);
}
