/**
 * The outermost layer of every request: an id, a logger that carries it, one access line, the timings, and the
 * headers each answer has. Danger: the access line names the route's pattern, never the path, the query or a body:
 * a note's name and a search's words are content.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from '@vault-mcp/shared/log';
import type { MiddlewareHandler } from 'hono';
import type { ApiMetrics } from '../metrics.ts';
import type { HttpContext, HttpEnv } from './env.ts';

/** A caller's id is taken over when it is short and plain enough for a log line and a header. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._~=-]{1,64}$/;

/** Label for what met no route: paths must not become label values, or anybody could grow the series without end. */
const UNMATCHED = 'unmatched';

/** Set unless a route said otherwise; answers are never scripts, frames or shared between users. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  Vary: 'Accept',
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

function requestIdOf(c: HttpContext): string {
  const given = c.req.header('x-request-id');
  return given !== undefined && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** Who called, once that is known. */
function whoOf(c: HttpContext): { readonly agent?: string; readonly by_operator?: true } {
  const agent = c.get('agent');
  if (agent === undefined) return {};
  const principal = c.get('principal');
  return principal?.kind === 'agent' && principal.byOperator ? { agent, by_operator: true } : { agent };
}

export function requestContext(deps: { log: Logger; metrics: ApiMetrics }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = requestIdOf(c);
    const log = deps.log.child({ request_id: requestId });
    c.set('requestId', requestId);
    c.set('log', log);
    await next();
    c.res.headers.set('X-Request-Id', requestId);
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    const seconds = (performance.now() - started) / 1000;
    const route = c.get('route') ?? UNMATCHED;
    const code = c.get('errorCode');
    deps.metrics.httpRequest({ route, method: c.req.method, status: c.res.status, seconds });
    if (code) deps.metrics.error('http', code);
    const line = { route, method: c.req.method, status: c.res.status, ms: Math.round(seconds * 1e4) / 10, ...whoOf(c) };
    // Asked every few seconds by whoever watches the container, and never of interest while it answers.
    log[route === '/healthz' ? 'debug' : 'info'](code ? { ...line, code } : line, 'request');
  };
}
