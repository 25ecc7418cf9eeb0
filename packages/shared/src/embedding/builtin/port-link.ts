/**
 * The built-in embedder from another thread of the same process: requests travel over a MessagePort to the owner,
 * which passes them to the one thread that holds the model. Going through the owner is what lets a dead model thread
 * be replaced without anybody opening a new port.
 */
import type { MessagePort } from 'node:worker_threads';
import { EmbedderError } from '../embedder.ts';
import type { BuiltinLink, BuiltinReply, BuiltinRequest } from './protocol.ts';

/** What goes back over a port: the reply, with the owner's view of the thread's health. */
type PortReply = BuiltinReply & { readonly aborted?: boolean; readonly problem: string | undefined };

/** The owner's end: answers what arrives on `port` through `link`. */
export function servePort(port: MessagePort, link: BuiltinLink): void {
  const running = new Map<number, AbortController>();
  port.on('message', (request: BuiltinRequest) => {
    if (request.type === 'cancel') running.get(request.id)?.abort();
    else void answer(request.id, request);
  });
  port.on('close', () => {
    for (const controller of running.values()) controller.abort();
  });
  port.unref();

  async function answer(id: number, request: BuiltinRequest & { type: 'embed' }): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const rows = await link.submit(request.kind, request.texts, controller.signal);
      // Not transferred: the row buffer belongs to whoever the link made it for.
      post({ type: 'vectors', id, vectors: rows as Float32Array<ArrayBuffer>, problem: link.problem() });
    } catch (error) {
      const { kind, message } = error as EmbedderError;
      post({ type: 'failed', id, reason: message, aborted: kind === 'aborted', problem: link.problem() });
    } finally {
      running.delete(id);
    }
  }

  function post(reply: PortReply): void {
    port.postMessage(reply);
  }
}

/** The other end. */
export function createPortLink(port: MessagePort): BuiltinLink {
  const pending = new Map<number, (outcome: Float32Array | EmbedderError) => void>();
  let nextId = 1;
  let problem: string | undefined;
  let closed = false;

  port.on('message', (reply: PortReply) => {
    problem = reply.problem;
    const settle = pending.get(reply.id);
    if (reply.type === 'vectors') settle?.(reply.vectors);
    else settle?.(new EmbedderError(reply.aborted === true ? 'aborted' : 'unreachable', reply.reason));
  });
  port.on('close', () => {
    closed = true;
    problem = 'The program that owns the built-in embedder has closed it.';
    for (const settle of pending.values()) settle(new EmbedderError('unreachable', problem));
  });
  port.unref();

  return {
    submit(kind, texts, signal) {
      if (signal?.aborted) return Promise.reject(new EmbedderError('aborted', 'Embedding was cancelled.'));
      if (closed)
        return Promise.reject(new EmbedderError('unreachable', problem ?? 'The built-in embedder was closed.'));
      return new Promise((resolve, reject) => {
        const id = nextId++;
        const onAbort = () => {
          port.postMessage({ type: 'cancel', id } satisfies BuiltinRequest);
          settle(new EmbedderError('aborted', 'Embedding was cancelled.'));
        };
        const settle = (outcome: Float32Array | EmbedderError) => {
          pending.delete(id);
          signal?.removeEventListener('abort', onAbort);
          if (pending.size === 0) port.unref();
          if (outcome instanceof EmbedderError) reject(outcome);
          else resolve(outcome);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        pending.set(id, settle);
        port.ref();
        port.postMessage({ type: 'embed', id, kind, texts } satisfies BuiltinRequest);
      });
    },
    problem: () => problem,
    async close() {
      port.close();
    },
  };
}
