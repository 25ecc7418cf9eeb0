/**
 * Listening and stopping: the only place with a socket. Danger: a stop that waits for idle keep-alive connections
 * never ends, and one that does not wait cuts answers short; so idle ones are closed at once, busy ones get a term.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from '@vault-mcp/shared/log';
import { answerUnparsed, refusesWithoutHost, refuseUnparsed } from './http/unparsed.ts';

/**
 * How long requests in hand may take to finish once a stop was asked for. A container is killed ten seconds after it
 * was asked to stop (SPEC §16), and what the requests worked on must be closed after them: two seconds for that.
 */
const GRACE_MS = 8_000;
/** How often connections that fell idle are closed while stopping. */
const SWEEP_MS = 50;
/** A client must send its headers, and its whole request, in these times; a stalled one is cut. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** The server could not listen; the message is one plain line for a person. */
export class ListenError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ListenError';
  }
}

export interface RunningServer {
  readonly host: string;
  /** The port in use, also when 0 was asked for. */
  readonly port: number;
  /** `http://host:port`, with a host a client on this machine can use. */
  readonly url: string;
  /** Stops accepting, lets requests in hand finish, at most the grace period. Idempotent. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly log: Logger;
}

export interface AnswerOptions {
  readonly graceMs?: number;
  /** Called as a stop begins, to end answers that stream without end. */
  readonly onStop?: () => Promise<void>;
}

type App = { readonly fetch: Parameters<typeof getRequestListener>[0] };

/** An address that is ours, with nothing yet that answers: requests wait until `answerWith`. */
export interface Listening {
  /** `http://host:port`, with a host a client on this machine can use. */
  readonly url: string;
  /** Once. */
  answerWith(app: App, options?: AnswerOptions): RunningServer;
  /** Gives the address back; what waits is cut off. For when there will be no app. */
  close(): Promise<void>;
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  const where = `${host}:${port}`;
  const advice: Record<string, string> = {
    EADDRINUSE: `${where} is already in use. Stop the other program or choose another port (server.port, BIND_PORT).`,
    EACCES: `This user may not listen on ${where}. Choose a port above 1023 (server.port, BIND_PORT).`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set server.host (BIND_HOST) to one that is.`,
    ENOTFOUND: `${host} does not resolve to an address. Set server.host (BIND_HOST) to one that does.`,
  };
  return new ListenError(advice[error.code ?? ''] ?? `Cannot listen on ${where} (${error.code ?? 'unknown reason'}).`, {
    cause: error,
  });
}

function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(listenProblem(error, host, port));
    server.once('error', onError);
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, () => {
      server.off('error', onError);
      resolve(server.address() as AddressInfo);
    });
  });
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(cut);
      resolve();
    });
  });
}

/**
 * Takes the address, so that whoever starts slow work first knows that there will be a server.
 * @throws ListenError when the address cannot be had
 */
export async function listen(options: ListenOptions): Promise<Listening> {
  const { host, log } = options;
  let begin: (app: App) => void = () => {};
  const begun = new Promise<App>((resolve) => {
    begin = resolve;
  });
  const fetch: App['fetch'] = async (...request) => (await begun).fetch(...request);
  const listener = getRequestListener(fetch, { errorHandler: (thrown) => refuseUnparsed(thrown, log) });
  const limits = { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    if (!refusesWithoutHost(request, response)) void listener(request, response);
  });
  answerUnparsed(server);
  const { port } = await bind(server, host, options.port);
  server.on('error', (error) => log.error({ err: error }, 'http server failed'));
  const url = `http://${clientHost(host)}:${port}`;
  return {
    url,
    answerWith(app, { graceMs = GRACE_MS, onStop } = {}) {
      begin(app);
      let stopping: Promise<void> | undefined;
      return {
        host,
        port,
        url,
        close() {
          stopping ??= Promise.all([stop(server, graceMs), onStop?.()]).then(() => undefined);
          return stopping;
        },
      };
    },
    close: () => stop(server, 0),
  };
}

/** An any-address is no address to call; a bare IPv6 one needs its brackets. */
function clientHost(host: string): string {
  if (host === '0.0.0.0' || host === '::' || host === '[::]') return '127.0.0.1';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
