/**
 * Clients that send a body, each in its own way: what one of them does when it is answered in the middle of it, another does
 * not. All go to a server without TLS, but for the one that goes through a proxy.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PROXY_HOST, type ReverseProxy } from './reverse-proxy.ts';

export interface Upload {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** Without a length. */
  readonly chunked: boolean;
}

export interface UploadAnswer {
  readonly status: number;
  readonly body: string;
}

/** Rejects when the answer does not come through. */
export type Client = (url: string, upload: Upload) => Promise<UploadAnswer>;

export const hasCurl = spawnSync('curl', ['--version'], { timeout: 20_000 }).status === 0;

const PART = 64 * 1024;
function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART) yield bytes.subarray(at, at + PART);
}

const framing = ({ chunked, bytes }: Upload): Record<string, string> =>
  chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes.length) };

export const byFetch: Client = async (url, { method, path, headers, bytes, chunked }) => {
  const body = chunked ? Readable.toWeb(Readable.from(partsOf(bytes))) : new Uint8Array(bytes);
  const answer = await fetch(url + path, { method, headers, body, duplex: 'half' } as RequestInit);
  return { status: answer.status, body: await answer.text() };
};

export const byCurl: Client = async (url, { method, path, headers, bytes, chunked }) => {
  const all = { ...headers, ...(chunked ? { 'Transfer-Encoding': 'chunked' } : {}) };
  const options = Object.entries(all).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const child = spawn('curl', [
    '-sS',
    ...options,
    '-X',
    method,
    '--data-binary',
    '@-',
    '-w',
    '\n%{http_code}',
    url + path,
  ]);
  child.stdin.on('error', () => {
    // It has heard enough.
  });
  child.stdin.end(bytes);
  const [said, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const at = said.lastIndexOf('\n');
  if (problems !== '') throw new Error(problems);
  return { status: Number(said.slice(at + 1)), body: said.slice(0, at) };
};

/** As simple programs do it: all is sent before a byte of the answer is read. */
export const bySendingFirst: Client = async (url, upload) => {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  const broken = once(socket, 'error').then(([error]) => Promise.reject(error));
  broken.catch(() => {
    // Whoever waits for it is told; nobody may, once the answer is there.
  });
  await Promise.race([once(socket, 'connect'), broken]);
  await Promise.race([sendAll(socket, host, upload), broken]);
  const answer = await Promise.race([text(socket), broken]);
  return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
};

async function sendAll(socket: Socket, host: string, upload: Upload): Promise<void> {
  const { method, path, headers, bytes, chunked } = upload;
  const all = Object.entries({ host, ...headers, ...framing(upload) }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${all.join('')}\r\n`);
  for (const part of partsOf(bytes)) {
    const pieces = chunked ? [`${part.length.toString(16)}\r\n`, part, '\r\n'] : [part];
    if (pieces.map((piece) => socket.write(piece)).includes(false)) await once(socket, 'drain');
  }
  if (chunked) socket.write('0\r\n\r\n');
}

/** Node's own client. */
export const byRequest: Client = (url, upload) => {
  const { hostname, port } = new URL(url);
  return send(upload, (options, onAnswer) => requestHttp({ host: hostname, port, ...options }, onAnswer), {});
};

export function byProxy(proxy: Pick<ReverseProxy, 'port' | 'certificate'>): Client {
  const { port, certificate } = proxy;
  const target = { host: '127.0.0.1', port, servername: PROXY_HOST, ca: certificate };
  return (_url, upload) =>
    send(upload, (options, onAnswer) => requestHttps({ ...target, ...options }, onAnswer), { host: PROXY_HOST });
}

type Open = (
  options: { agent: false; method: string; path: string; headers: Record<string, string> },
  onAnswer: (answer: IncomingMessage) => void,
) => ReturnType<typeof requestHttp>;

function send(upload: Upload, open: Open, more: Record<string, string>): Promise<UploadAnswer> {
  const { method, path, bytes, chunked } = upload;
  const headers = { ...more, ...framing(upload), ...upload.headers };
  return new Promise((resolve, reject) => {
    const sent = open({ agent: false, method, path, headers }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    });
    sent.on('error', reject);
    if (chunked) Readable.from(partsOf(bytes)).pipe(sent);
    else sent.end(bytes);
  });
}
