/**
 * Work on long notes, off the event loop: one task at a time, each on a thread of its own that ends afterwards. Danger:
 * all who are given the same thread wait for each other.
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

/** What a task came to, or the refusal it ended in. */
export type ThreadReply = { readonly result: unknown } | { readonly code: ErrorCode; readonly message: string };

export interface NoteThreadOptions {
  /** What a caller does about a note that takes too long; a sentence. */
  readonly advice: string;
  readonly atOnce?: number | undefined;
  readonly timeoutMs?: number | undefined;
  /** The thread's compiled entry; tests name their own. */
  readonly entry?: URL | undefined;
}

export interface NoteThread {
  /**
   * @param weight what the task costs, in UTF-16 units of markdown that are parsed in the same time: light ones are done
   * at once
   * @throws AppError what `doTask` throws; `note_too_large` when it takes too long
   */
  run<T extends NoteTask>(task: T, weight: number): Promise<TaskResults[T['about']]>;
}

export function createNoteThread(options: NoteThreadOptions): NoteThread {
  const { advice, atOnce = AT_ONCE, timeoutMs = TIMEOUT_MS, entry = threadEntry(import.meta.url) } = options;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run<T extends NoteTask>(task: T, weight: number) {
      if (weight <= atOnce) return doTask(task);
      const done = last.then(() => onThread(entry, task, timeoutMs, advice));
      last = done.catch(() => undefined);
      return (await done) as TaskResults[T['about']];
    },
  };
}

function onThread(entry: URL, task: NoteTask, timeoutMs: number, advice: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // Nothing of the process: no environment (keys), no flags; and standard output may be speaking MCP.
    const worker = new Worker(entry, { workerData: task, env: {}, execArgv: [], stdout: true, stderr: true });
    const timer = setTimeout(() => {
      reject(new AppError('note_too_large', `This takes too long with a note like this: ${advice}`));
      void worker.terminate();
    }, timeoutMs);
    worker.once('message', (reply: ThreadReply) => {
      if ('code' in reply) reject(new AppError(reply.code, reply.message));
      else resolve(reply.result);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The thread that works on a note ended without an answer (${code}).`));
    });
  });
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  const source = here.endsWith('.ts');
  return new URL(source ? '../../dist/operations/note-thread-entry.js' : './note-thread-entry.js', here);
}
