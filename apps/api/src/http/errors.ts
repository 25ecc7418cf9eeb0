/**
 * The one mapper from a thrown value to an HTTP answer: `{code, error}` and nothing else, whatever was thrown.
 * Danger: only `message` of an AppError is public; causes and foreign errors go to the log alone.
 */
import { AppError, type ErrorCode, toAppError } from '@vault-mcp/shared/errors';
import { reasonOf } from '@vault-mcp/shared/log';
import { type HttpContext, rawPathname } from './env.ts';
import { absentPartRoute, absentPluginRoute } from './plugin-absent.ts';

/** Codes of what passes by itself, and the seconds after which asking again makes sense. */
const RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, string>> = { not_ready: '2', locked: '2' };

/** Answers an error as JSON and leaves its code for the log line and the metrics. */
export function respondWithError(raised: unknown, c: HttpContext): Response {
  const error = toAppError(raised);
  c.set('errorCode', error.code);
  // A missing index is a state that /readyz shows; a line per question would only repeat it.
  if (error.status >= 500 && error.code !== 'not_ready') {
    // A client that went away ends what was done for it; that is no failure of ours.
    const level = c.req.raw.signal.aborted ? 'debug' : error.code === 'internal_error' ? 'error' : 'warn';
    const thrown = error.cause ?? error;
    // Where a full disk was met says nothing; where a defect was, everything.
    const why = error.code === 'internal_error' ? { err: thrown } : { reason: reasonOf(thrown) };
    c.get('log')?.[level]({ code: error.code, ...why }, 'request failed');
  }
  const retryAfter = RETRY_AFTER_SECONDS[error.code];
  if (retryAfter !== undefined) c.header('Retry-After', retryAfter);
  const besides = error.status === 400 ? absentPartRoute(rawPathname(c)) : undefined;
  const message = besides === undefined ? error.message : `${error.message} ${besides}`;
  return c.json({ code: error.code, error: message }, error.status as Parameters<typeof c.json>[1] & number);
}

/** For a path that meets no route. Answers rather than throws: a throw here would skip the outer layers' headers. */
export function routeNotFound(c: HttpContext): Response {
  const message =
    absentPluginRoute(rawPathname(c)) ??
    'There is no such route. Notes are under /vault/, search is /search, MCP is /mcp.';
  return respondWithError(new AppError('not_found', message), c);
}
