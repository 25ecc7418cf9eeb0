/**
 * Answers for requests that never became one: a target or Host that cannot be a URL, bytes that are not HTTP. They
 * get the same JSON body as any other refusal, since automations parse what they receive.
 */
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { AppError, toAppError } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';

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

/** For the server's `clientError`: answers what Node's parser refused, if the socket still takes an answer. */
export function invalidRequestLine(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are too long; send fewer or shorter ones.'
      : 'This is not a valid HTTP request.';
  const body = JSON.stringify({ code: 'invalid_request', error: message });
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  socket.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
}
