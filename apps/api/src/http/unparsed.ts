/**
 * Answers for requests that never became one: a target or Host that cannot be a URL, bytes that are not HTTP. They
 * get the same JSON body as any other refusal, since automations parse what they receive.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { AppError, toAppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import { takeInRest } from './unread-body.ts';

function describe(thrown: unknown): AppError {
  if (!(thrown instanceof RequestError)) return toAppError(thrown);
  return /backslash/i.test(thrown.message)
    ? new AppError('invalid_path', 'A path may not hold a backslash; use / between its parts.')
    : new AppError('invalid_request', 'The request target or its Host header is not valid; send a plain URL.');
}

/** For the node adapter's error handler. */
export function refuseUnparsed(thrown: unknown, log: Logger): Response {
  const error = describe(thrown);
  if (error.code === 'internal_error') log.error({ err: thrown }, 'request failed outside the app');
  return Response.json({ code: error.code, error: error.message }, { status: error.status });
}

/**
 * For the server's events about requests that Node would answer itself with an empty body. `refuse` works on a request
 * that was read, `refuseBytes` on bytes that were none.
 *
 * Some answers cannot be made ours. A method that Node's parser does not know is refused before there is a path, so it
 * is 400 and not 405 with `Allow`. Where an answer is already on its way (bytes that are not HTTP behind a request in
 * hand), or the client no longer reads, the connection only ends. What comes after a TLS hello nobody here speaks.
 */
export function answerUnparsed(server: Server): void {
  server.on('checkExpectation', (request, response: ServerResponse) => {
    const message = 'The only expectation known here is "100-continue"; send the request without the Expect header.';
    refuse(request, response, new AppError('invalid_request', message));
  });
  server.on('connect', (_request, socket) => {
    const error = new AppError('method_not_allowed', 'This server is no proxy; it tunnels nowhere.');
    writeRefusal(socket as Socket, error, ['Allow: ']);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseBytes(error, socket as Socket));
}

/** Whether a request lacks the Host header that HTTP/1.1 demands; then it is answered. */
export function refusesWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  const { headers, httpVersion } = request;
  if (httpVersion !== '1.1' || headers.host !== undefined) return false;
  refuse(
    request,
    response,
    new AppError('invalid_request', 'The Host header is missing; send the name this server is asked by.'),
  );
  return true;
}

function refuse(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  const body = bodyOf(error);
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.write(body);
  void takeInRest(request).then(() => response.end());
}

/** Public prose for what Node's parser refuses, by its code. */
const PARSE_PROBLEMS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW:
    'The address and the headers are too long: send a long query in the body of POST /search, and fewer or shorter headers.',
  HPE_INVALID_METHOD: 'This is no method that HTTP knows; send GET, POST or another known one, in capital letters.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not come to its end in time; send it again.',
};

function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const message = PARSE_PROBLEMS[error.code ?? ''] ?? 'This is not a valid HTTP request.';
  writeRefusal(socket, new AppError('invalid_request', message));
}

/** Node keeps the answer in hand on its socket; a second head in the middle of it would become part of its body. */
function isAnswering(socket: Socket): boolean {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
}

function writeRefusal(socket: Socket, error: AppError, headers: readonly string[] = []): void {
  const body = bodyOf(error);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function bodyOf(error: AppError): string {
  return JSON.stringify({ code: error.code, error: error.message });
}
