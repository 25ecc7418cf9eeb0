/**
 * What travels with one HTTP request inside Hono: its id, its logger, the route it met and the error it ended in.
 * Danger: `requestTarget` is the only honest view of the path, since every URL parser between the socket and a
 * handler has already folded `..` away.
 */
import type { HttpBindings } from '@hono/node-server';
import type { ErrorCode } from '@vault-mcp/shared/errors';
import type { Logger } from '@vault-mcp/shared/log';
import type { Context } from 'hono';
import type { Caller } from '../callers.ts';

export interface HttpEnv {
  /** The node adapter's pair; absent when a test calls `app.request`. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    log: Logger;
    /** The route's pattern (never the path, which names a note); unset while nothing matched. */
    route: string;
    errorCode: ErrorCode;
    /** Who calls, by name; unset while no key was accepted. */
    agent: string;
    /** Who calls; unset where nobody is asked for a key, and while none was accepted. */
    principal: Caller;
    /** Which operation was asked for, and with what. */
    call: { readonly operation: string; readonly args: unknown };
    /** Set when the MCP endpoint has taken the request over. */
    servedByMcp: boolean;
  };
}

export type HttpContext = Context<HttpEnv>;

/**
 * The request's path exactly as the client sent it: still percent-encoded, dot segments in place, no query.
 * Falls back to the parsed URL where there is no socket (tests through `app.request`).
 */
export function rawPathname(c: HttpContext): string {
  const target = c.env?.incoming?.url ?? new URL(c.req.url).pathname;
  const withoutQuery = target.split(/[?#]/, 1)[0] ?? '';
  const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(withoutQuery);
  return absoluteForm ? withoutQuery.slice(absoluteForm[0].length) || '/' : withoutQuery;
}
