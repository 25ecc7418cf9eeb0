/**
 * A real HTTP server that speaks the part of an OpenAI-compatible chat API the deciders use (`/v1/chat/completions`) and
 * can misbehave in every way one was seen to. It knows no language: what it says is what the test gave it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, listen, sendJson } from './fake-http.ts';

export interface AskedOfChat {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model?: string;
    readonly messages?: readonly { readonly role: string; readonly content: string }[];
    readonly [key: string]: unknown;
  };
}

export type ChatReply =
  /** A good completion with this content. */
  | { readonly kind: 'says'; readonly content: unknown; readonly finishReason?: string }
  /** 200 with any JSON. */
  | { readonly kind: 'json'; readonly body: unknown }
  /** 200 with any bytes. */
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    }
  /** What it was sent as its key, as an error of this status or, for 200, as content. */
  | { readonly kind: 'echo-key'; readonly status: number }
  /** Takes the call and says nothing. */
  | { readonly kind: 'slow' }
  /** One character at a time, for ever. */
  | { readonly kind: 'drip' }
  /** Ends the connection before, or in the middle of, the answer. */
  | { readonly kind: 'dead' }
  | { readonly kind: 'half-then-dead'; readonly content: string }
  | { readonly kind: 'endless'; readonly bytes: number };

export interface FakeChat {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  readonly asked: AskedOfChat[];
  /** Bytes of an `endless` answer that were handed to the network. */
  readonly sent: number;
  /** Decides per call, by what was asked and how many came before it. */
  reply: (asked: AskedOfChat, earlier: number) => ChatReply;
  close(): Promise<void>;
}

/** A good answer: a completion that holds this value as JSON. */
export function saysJson(value: unknown): ChatReply {
  return { kind: 'says', content: JSON.stringify(value) };
}

/** Says `create` to everything until it is given another reply. */
export async function startFakeChat(): Promise<FakeChat> {
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const asked: AskedOfChat[] = [];
  const state = { sent: 0 };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = { path: request.url ?? '', headers: request.headers, body: JSON.parse(await bodyOf(request)) };
    const earlier = asked.push(call) - 1;
    const reply = fake.reply(call, earlier);
    if (reply.kind === 'endless') await pour(response, reply.bytes, state);
    else if (reply.kind === 'drip') await drip(response, stopping.signal);
    else if (reply.kind === 'slow') await sleep(60_000, undefined, { signal: stopping.signal });
    else await give(request, response, reply);
  }

  const fake: FakeChat = {
    url: `http://127.0.0.1:${await listen(server)}/v1`,
    asked,
    get sent() {
      return state.sent;
    },
    reply: () => saysJson({ action: 'create' }),
    async close() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

type Given = Exclude<ChatReply, { kind: 'endless' | 'drip' | 'slow' }>;

async function give(request: IncomingMessage, response: ServerResponse, reply: Given): Promise<void> {
  switch (reply.kind) {
    case 'says':
      return sendJson(response, 200, completion(reply.content, reply.finishReason));
    case 'json':
      return sendJson(response, 200, reply.body);
    case 'text':
      response.end(reply.text);
      return;
    case 'status':
      return sendJson(response, reply.status, reply.body ?? { error: { message: 'no' } }, reply.headers);
    case 'echo-key': {
      const key = String(request.headers.authorization).replace(/^Bearer /, '');
      const words = `Incorrect API key provided: ${key}.`;
      return reply.status === 200
        ? sendJson(response, 200, completion(JSON.stringify({ action: 'create', reason: words })))
        : sendJson(response, reply.status, { error: { message: words } });
    }
    case 'dead':
      response.socket?.resetAndDestroy();
      return;
    case 'half-then-dead': {
      const text = JSON.stringify(completion(reply.content));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
      await new Promise((resolve) => response.write(text.slice(0, text.length / 2), resolve));
      response.socket?.resetAndDestroy();
    }
  }
}

function completion(content: unknown, finishReason = 'stop'): object {
  const message = { role: 'assistant', content };
  return { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finishReason }] };
}

/** An answer that would be valid JSON if anybody waited for its end. */
async function pour(response: ServerResponse, bytes: number, state: { sent: number }): Promise<void> {
  const part = Buffer.alloc(64 * 1024, ' ');
  response.writeHead(200, { 'content-type': 'application/json' });
  while (state.sent < bytes && !response.destroyed) {
    const room = response.write(part);
    state.sent += part.length;
    if (!room) await roomOrEnd(response);
  }
  response.end('{}');
}

async function drip(response: ServerResponse, signal: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await sleep(20, undefined, { signal });
  }
}

/** Until more can be written, or nobody reads any more. */
function roomOrEnd(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}
