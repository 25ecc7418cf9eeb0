/**
 * Owns the built-in model's thread: starts it at the first request, restarts it when it dies, and gives every
 * request exactly one answer. Danger: a text that kills the thread would kill it again, so a request is sent at most
 * twice and a thread that keeps dying is left alone for a while.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../log.ts';
import { EmbedderError } from '../embedder.ts';
import type { BuiltinLink, BuiltinReply, BuiltinRequest, EmbedKind } from './protocol.ts';

export interface ThreadOwnerOptions {
  readonly entry: URL;
  readonly logger: Logger;
  /** Deaths in a row, without an answer in between, after which it stays down for `restSeconds`. */
  readonly maxDeaths?: number;
  readonly restSeconds?: number;
}

/** JavaScript heap of the thread; weights and activations live outside it. */
const THREAD_HEAP_MB = 512;
const MAX_SENDS = 2;

interface Pending {
  readonly kind: EmbedKind;
  readonly texts: readonly string[];
  readonly settle: (answer: Float32Array | EmbedderError) => void;
  sends: number;
}

export function createThreadOwner({ entry, logger, maxDeaths = 3, restSeconds = 60 }: ThreadOwnerOptions): BuiltinLink {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let nextId = 1;
  let deaths = 0;
  let restUntil = 0;
  let problem: string | undefined;
  let closed = false;

  function start(): Worker {
    const started = new Worker(entry, {
      name: 'embedder',
      // The thread needs nothing of the process: no environment (keys) and no flags. Its output is taken away, since
      // standard output may be speaking MCP, and never read, since a reader keeps an idle program alive.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    started.on('message', (reply: BuiltinReply) => answer(reply));
    started.on('error', (error) => logger.error({ err: error }, 'the embedder thread failed'));
    started.on('exit', () => died(started));
    return started;
  }

  function answer(reply: BuiltinReply): void {
    deaths = 0;
    const request = pending.get(reply.id);
    if (reply.type === 'vectors') {
      problem = undefined;
      // The thread has no log of its own; which texts failed stands in their rows.
      if (reply.problem !== undefined) logger.warn({ reason: reply.problem }, 'the built-in model failed on a text');
      request?.settle(reply.vectors);
    } else {
      problem = reply.reason;
      request?.settle(new EmbedderError('unreachable', reply.reason));
    }
  }

  function died(which: Worker): void {
    if (worker !== which || closed) return;
    worker = undefined;
    deaths++;
    problem =
      'The built-in embedder stopped unexpectedly and is started again at the next text; the log has the details.';
    if (deaths >= maxDeaths) {
      restUntil = Date.now() + restSeconds * 1000;
      problem = `The built-in embedder stopped ${deaths} times in a row; it is tried again in ${restSeconds} s. The log has the reason; EMBED_PROVIDER names another embedder.`;
      deaths = 0;
    }
    for (const [id, request] of pending) {
      if (restUntil > Date.now() || request.sends >= MAX_SENDS)
        request.settle(new EmbedderError('unreachable', problem));
      else send(id, request);
    }
  }

  function send(id: number, request: Pending): void {
    worker ??= start();
    worker.ref();
    request.sends++;
    const message: BuiltinRequest = { type: 'embed', id, kind: request.kind, texts: request.texts };
    worker.postMessage(message);
  }

  return {
    submit(kind, texts, signal) {
      if (closed || signal?.aborted) return Promise.reject(new EmbedderError('aborted', 'Embedding was cancelled.'));
      if (restUntil > Date.now())
        return Promise.reject(new EmbedderError('unreachable', problem ?? 'The built-in embedder rests.'));
      return new Promise((resolve, reject) => {
        const id = nextId++;
        const onAbort = () => {
          worker?.postMessage({ type: 'cancel', id } satisfies BuiltinRequest);
          settle(new EmbedderError('aborted', 'Embedding was cancelled.'));
        };
        const settle = (outcome: Float32Array | EmbedderError) => {
          pending.delete(id);
          signal?.removeEventListener('abort', onAbort);
          // An idle thread must not keep a finished program alive.
          if (pending.size === 0) worker?.unref();
          if (outcome instanceof EmbedderError) reject(outcome);
          else resolve(outcome);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        const request: Pending = { kind, texts, settle, sends: 0 };
        pending.set(id, request);
        send(id, request);
      });
    },
    problem: () => problem,
    async close() {
      closed = true;
      for (const request of pending.values()) request.settle(new EmbedderError('aborted', 'The embedder was closed.'));
      await worker?.terminate();
      worker = undefined;
    },
  };
}
