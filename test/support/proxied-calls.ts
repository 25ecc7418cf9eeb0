/**
 * Calls to a port of this machine under another name, as a client elsewhere would make them: with TLS or without, the
 * request line byte for byte, and what is answered as it comes in. `fetch` can do neither.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';

export interface CallTarget {
  readonly port: number;
  /** Host header and TLS server name, unless a call names another Host. */
  readonly host: string;
  /** To be trusted; without it the call goes out without TLS. */
  readonly certificate?: string;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Resolves once the headers are there. */
export function open(target: CallTarget, method: string, path: string, call: Call = {}): Promise<IncomingMessage> {
  const { port, host, certificate } = target;
  const body = Buffer.from(call.body ?? '');
  const length = call.body === undefined ? {} : { 'content-length': String(body.length) };
  const headers = { host, ...length, ...target.headers, ...call.headers };
  const options = { host: '127.0.0.1', port, method, path, headers, agent: false as const };
  return new Promise((resolve, reject) => {
    const sent =
      certificate === undefined
        ? requestHttp(options, resolve)
        : requestHttps({ ...options, servername: host, ca: certificate }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

export async function ask(target: CallTarget, method: string, path: string, call: Call = {}): Promise<Answer> {
  const answer = await open(target, method, path, call);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

/** A `fetch` that goes to the target whatever host its addresses name. */
export function fetchThrough(target: CallTarget): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const { pathname, search } = new URL(asked.url);
    const call = { headers: Object.fromEntries(asked.headers), body: new Uint8Array(await asked.arrayBuffer()) };
    const answer = await open(target, asked.method, pathname + search, call);
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    return new Response(
      Readable.toWeb(answer) as ReadableStream<Uint8Array> as ConstructorParameters<typeof Response>[0],
      {
        status: answer.statusCode ?? 0,
        headers,
      },
    );
  };
}
