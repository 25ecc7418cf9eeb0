/**
 * Asks questions of every note on a thread that looks at them all and remembers what it read: one for each vault, started
 * with the first question and kept. Danger: it waits for the disk, and the first question may take seconds; so nothing of
 * it runs on the thread that answers requests, and a crash in there fails the questions in hand and no others.
 */
import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '@vault-mcp/shared/errors';
import type { VaultPath } from '@vault-mcp/shared/vault/path';
import type { SurveyAnswers, Surveyed, SurveyQuestion } from './survey.ts';

/** For what lives no longer than a look at a file: 30 MB less than with the default, and hardly slower. */
const YOUNG_MB = 8;

/** What is asked, as it goes to the thread. */
export interface SurveyRequest {
  readonly id: number;
  /** In the spelling on disk. */
  readonly folder: VaultPath;
  /** Larger notes are left out; 0 = no limit. */
  readonly maxBytes: number;
  /** Globs on names of files that are nobody's business. */
  readonly ignore: readonly string[];
  readonly question: SurveyQuestion;
}

/** What comes back: an answer or the refusal it ended in. */
export type SurveyReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly code: ErrorCode; readonly message: string };

export interface SurveyThreadData {
  readonly root: string;
}

export interface SurveyThread {
  /**
   * Of the files as they are once it is asked, below a folder that was found there.
   * @throws AppError `not_found`, `invalid_path`, `unreadable` when the folder cannot be opened
   */
  ask<Q extends SurveyQuestion>(
    request: Omit<SurveyRequest, 'id' | 'question'>,
    question: Q,
  ): Promise<Surveyed<SurveyAnswers[Q['about']]>>;
  /** Ends the thread; the next question starts another. */
  close(): Promise<void>;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** @param entry the thread's compiled entry; tests name their own */
export function createSurveyThread(root: string, entry: URL = threadEntry(import.meta.url)): SurveyThread {
  const pending = new Map<number, Pending>();
  let running: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const workerData: SurveyThreadData = { root };
    // Nothing of the process: no environment (keys), no flags; and standard output may be speaking MCP.
    const bare = { env: {}, execArgv: [], stdout: true, stderr: true };
    const worker = new Worker(entry, { workerData, ...bare, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const failAll = (error: unknown): void => {
      if (running !== worker) return;
      running = undefined;
      for (const each of pending.values()) each.reject(error);
      pending.clear();
    };
    worker.on('message', (reply: SurveyReply) => {
      settle(pending.get(reply.id), reply);
      pending.delete(reply.id);
      // An idle thread keeps no program from ending.
      if (pending.size === 0) worker.unref();
    });
    worker.once('error', failAll);
    worker.once('exit', (code) => failAll(new Error(`The thread that looks at notes ended (${code}).`)));
    return worker;
  }

  return {
    ask<Q extends SurveyQuestion>(request: Omit<SurveyRequest, 'id' | 'question'>, question: Q) {
      return new Promise<Surveyed<SurveyAnswers[Q['about']]>>((resolve, reject) => {
        running ??= start();
        const id = ++lastId;
        pending.set(id, { resolve: (result) => resolve(result as Surveyed<SurveyAnswers[Q['about']]>), reject });
        running.ref();
        running.postMessage({ ...request, id, question } satisfies SurveyRequest);
      });
    },
    async close() {
      await running?.terminate();
    },
  };
}

function settle(waiting: Pending | undefined, reply: SurveyReply): void {
  if ('code' in reply) waiting?.reject(new AppError(reply.code, reply.message));
  else waiting?.resolve(reply.result);
}

/** Node 20 runs no TypeScript: from a source file (tests), the entry is the one `tsc -b` left in dist. */
function threadEntry(here: string): URL {
  const source = here.endsWith('.ts');
  return new URL(source ? '../../dist/checks/survey-thread-entry.js' : './survey-thread-entry.js', here);
}
