/**
 * A real HTTP server that speaks the part of Ollama's API an embedder uses (`/v1/embeddings`, `/api/show`) and can
 * misbehave in every way a real one was seen to. It knows no semantics: a text's vector is its words and trigrams hashed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashText } from '@vault-mcp/shared/embedding/lexical';
import { bodyOf, listen, sendJson } from './fake-http.ts';

export interface RecordedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly texts: readonly string[];
  readonly model: string;
  readonly at: number;
}

/** What to do instead of answering well; `null` answers well. */
export type Misbehaviour =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'rows'; readonly change: (rows: Row[]) => unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'half-then-reset' }
  | { readonly kind: 'hang' };

export interface Row {
  object: 'embedding';
  index: number;
  embedding: unknown;
}

export interface FakeOllama {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  /** Requests for embeddings, in order of arrival. */
  readonly requests: RecordedRequest[];
  /** Requests for anything else. */
  readonly others: RecordedRequest[];
  /** Decides per request for embeddings, by its texts and how many came before it. */
  misbehave: (texts: readonly string[], earlier: number) => Misbehaviour | null;
  /** How long each good answer takes. */
  delayMs: number;
  /** Answer of `/api/show`; null answers 404 as for a model that was never pulled. */
  show: unknown;
  close(): Promise<void>;
}

/** @param options.host what to listen on, for callers in containers; default this machine alone */
export async function startFakeOllama(options: { dims?: number; host?: string } = {}): Promise<FakeOllama> {
  const dims = options.dims ?? 768;
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const fake: Omit<FakeOllama, 'url'> & { url: string } = {
    url: '',
    requests: [],
    others: [],
    misbehave: () => null,
    delayMs: 0,
    show: { model_info: { 'nomic-bert.context_length': 2048 }, parameters: 'num_ctx                        2048' },
    async close() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await bodyOf(request)) as { model?: string; input?: string | string[] };
    const texts = body.input === undefined ? [] : [body.input].flat();
    const recorded = {
      path: request.url ?? '',
      headers: request.headers,
      texts,
      model: body.model ?? '',
      at: Date.now(),
    };
    if (request.url !== '/v1/embeddings') {
      fake.others.push(recorded);
      if (request.url === '/api/show' && fake.show !== null) return sendJson(response, 200, fake.show);
      return sendJson(response, 404, { error: `model '${body.model}' not found` });
    }
    const earlier = fake.requests.push(recorded) - 1;
    await answer(response, texts, body.model ?? '', fake.misbehave(texts, earlier));
  }

  async function answer(
    response: ServerResponse,
    texts: string[],
    model: string,
    bad: Misbehaviour | null,
  ): Promise<void> {
    const rows = texts.map(
      (text, index): Row => ({ object: 'embedding', index, embedding: Array.from(hashText(text, dims)) }),
    );
    const good = { object: 'list', data: rows, model };
    switch (bad?.kind) {
      case undefined:
        if (fake.delayMs > 0) await sleep(fake.delayMs, undefined, { signal: stopping.signal });
        return sendJson(response, 200, good);
      case 'status':
        return sendJson(response, bad.status, bad.body ?? { error: { message: `status ${bad.status}` } }, bad.headers);
      case 'rows':
        return sendJson(response, 200, { ...good, data: bad.change(rows) });
      case 'text':
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(bad.text);
        return;
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
      case 'half-then-reset': {
        const text = JSON.stringify(good);
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
        await new Promise((resolve) => response.write(text.slice(0, text.length / 2), resolve));
        response.socket?.resetAndDestroy();
        return;
      }
      case 'hang':
        await sleep(60_000, undefined, { signal: stopping.signal });
    }
  }

  fake.url = `http://127.0.0.1:${await listen(server, options.host ?? '127.0.0.1')}/v1`;
  return fake;
}
