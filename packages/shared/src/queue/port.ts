/**
 * Adds jobs from another thread: the producing side speaks over a MessagePort to the thread that holds the queue.
 * Danger: that thread may die, so every open call is rejected when the port closes, and none waits for ever.
 */
import type { MessagePort } from 'node:worker_threads';
import type { JobName, JobPayload } from './jobs.ts';
import { type JobProducer, QueueAwayError, type QueueStats } from './producer.ts';

type Request = { readonly id: number } & (
  | { readonly call: 'add'; readonly name: JobName; readonly payload: unknown }
  | { readonly call: 'stats' }
);
type Reply = { readonly id: number } & (
  | { readonly value: unknown }
  /** `away`: it was a QueueAwayError there, and is one here. */
  | { readonly error: string; readonly away: boolean }
);

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const GONE = 'The thread that holds the job queue is gone.';

/** A producer on this side of `port`; the other side calls `servePortProducer`. Takes the port over. */
export function createPortProducer(port: MessagePort): JobProducer {
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let open = true;

  port.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) call?.reject(reply.away ? new QueueAwayError(reply.error) : new Error(reply.error));
    else call?.resolve(reply.value);
  });
  port.on('close', () => {
    open = false;
    for (const call of waiting.values()) call.reject(new QueueAwayError(GONE));
    waiting.clear();
  });

  function ask(request: { call: 'add'; name: JobName; payload: unknown } | { call: 'stats' }): Promise<unknown> {
    if (!open) return Promise.reject(new QueueAwayError(GONE));
    const id = nextId++;
    return new Promise((resolve, reject) => {
      port.postMessage({ ...request, id } satisfies Request);
      waiting.set(id, { resolve, reject });
    });
  }

  return {
    async add<N extends JobName>(name: N, payload: JobPayload<N>) {
      await ask({ call: 'add', name, payload });
    },
    stats() {
      return (ask({ call: 'stats' }) as Promise<QueueStats>).catch((error: unknown) => ({
        ok: false,
        depth: 0,
        failed: 0,
        error: messageOf(error),
      }));
    },
    async close() {
      port.close();
    },
  };
}

/** Answers the producer at the other end of `port` from `queue`. The queue stays the caller's to close. */
export function servePortProducer(port: MessagePort, queue: JobProducer): { close(): void } {
  port.on('message', async (request: Request) => {
    try {
      const value = request.call === 'add' ? await addTo(queue, request.name, request.payload) : await queue.stats();
      port.postMessage({ id: request.id, value } satisfies Reply);
    } catch (error) {
      const away = error instanceof QueueAwayError;
      port.postMessage({ id: request.id, error: messageOf(error), away } satisfies Reply);
    }
  });
  return { close: () => port.close() };
}

function addTo(queue: JobProducer, name: JobName, payload: unknown): Promise<void> {
  // The consumer parses every payload, so what crossed the port is not checked twice.
  return queue.add(name, payload as JobPayload<typeof name>);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
