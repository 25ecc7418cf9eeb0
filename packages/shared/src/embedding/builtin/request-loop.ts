/**
 * The thread's scheduler: one text at a time, queries first, and a turn of the event loop between two texts so that
 * a query or a cancel that has just arrived is seen. A query therefore waits for one text at most. Danger: the model
 * computes synchronously; whatever it is given at once is how long everybody else waits.
 */
import type { MessagePort } from 'node:worker_threads';
import type { BuiltinReply, BuiltinRequest, EmbedKind } from './protocol.ts';

/** A loaded model: one text in, `dims` numbers out; throws when this text cannot be embedded. */
export interface SentenceModel {
  readonly dims: number;
  embed(text: string): Float32Array | Promise<Float32Array>;
}

interface Job {
  readonly id: number;
  readonly texts: readonly string[];
  readonly rows: Float32Array<ArrayBuffer>;
  done: number;
  problem?: string;
}

type ReplyPort = Pick<MessagePort, 'on' | 'postMessage'>;

/**
 * Serves requests on `port` for as long as it is open.
 * @param load called at the first request, and again at the next one after it failed
 */
export function serveRequests(port: ReplyPort, dims: number, load: () => Promise<SentenceModel>): void {
  const waiting: Record<EmbedKind, Job[]> = { query: [], documents: [] };
  let model: SentenceModel | undefined;
  let running = false;

  port.on('message', (request: BuiltinRequest) => {
    if (request.type === 'cancel') {
      for (const kind of ['query', 'documents'] as const)
        waiting[kind] = waiting[kind].filter(({ id }) => id !== request.id);
      return;
    }
    const { id, texts } = request;
    waiting[request.kind].push({ id, texts, rows: new Float32Array(texts.length * dims), done: 0 });
    if (running) return;
    running = true;
    void run();
  });

  async function run(): Promise<void> {
    for (let job = nextJob(); job !== undefined; job = nextJob()) {
      try {
        model ??= await load();
      } catch (error) {
        failAll(`The built-in model could not be loaded: ${(error as Error).message}`);
        break;
      }
      await step(job, model);
      await new Promise((resolve) => setImmediate(resolve));
    }
    running = false;
  }

  async function step(job: Job, loaded: SentenceModel): Promise<void> {
    const text = job.texts[job.done];
    if (text !== undefined) {
      const row = job.rows.subarray(job.done * dims, (job.done + 1) * dims);
      try {
        row.set(await loaded.embed(text));
      } catch (error) {
        row.fill(Number.NaN);
        job.problem ??= String(error);
      }
      job.done++;
    }
    if (job.done < job.texts.length) return;
    remove(job);
    const problem = job.problem === undefined ? {} : { problem: job.problem };
    const reply: BuiltinReply = { type: 'vectors', id: job.id, vectors: job.rows, ...problem };
    port.postMessage(reply, [job.rows.buffer]);
  }

  function nextJob(): Job | undefined {
    return waiting.query[0] ?? waiting.documents[0];
  }

  function remove(job: Job): void {
    for (const kind of ['query', 'documents'] as const) waiting[kind] = waiting[kind].filter((other) => other !== job);
  }

  function failAll(reason: string): void {
    for (const { id } of [...waiting.query.splice(0), ...waiting.documents.splice(0)]) {
      const reply: BuiltinReply = { type: 'failed', id, reason };
      port.postMessage(reply);
    }
  }
}
