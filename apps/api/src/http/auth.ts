/**
 * Bearer authentication in front of every route but the liveness probe and the OAuth probes. Danger: the exemptions
 * compare the raw path for equality; a prefix or a decoded comparison here would open whatever normalises to it.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { MiddlewareHandler } from 'hono';
import type { Callers } from '../callers.ts';
import { type HttpContext, type HttpEnv, rawPathname } from './env.ts';

/** The token's bytes: Node hands header values over as latin1, one character a byte. */
function bearerToken(c: HttpContext): Buffer | undefined {
  const match = /^bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '');
  return match?.[1] === undefined ? undefined : Buffer.from(match[1], 'latin1');
}

/** Whether a path answers without a key: the liveness probe, and what clients ask to find out about OAuth. */
export function isOpenPath(method: string, path: string): boolean {
  if (path === '/healthz') return method === 'GET' || method === 'HEAD';
  return path === '/register' || /^\/\.well-known\/oauth-[^/]*(\/|$)/.test(path);
}

export function bearerAuth(callers: Pick<Callers, 'holderOf' | 'callerFor'>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const path = rawPathname(c);
    if (isOpenPath(c.req.method, path)) return next();
    const token = bearerToken(c);
    const holder = token === undefined ? null : callers.holderOf(token);
    if (holder === null || (holder.kind === 'scraper' && path !== '/metrics')) throw refusal(c, token);
    // Whose key it is, for the records of a call whose name is refused.
    if (holder.kind !== 'scraper') c.set('agent', holder.name);
    const principal = callers.callerFor(holder, c.req.header('x-vault-agent'));
    if (principal.kind !== 'scraper') c.set('agent', principal.name);
    c.set('principal', principal);
    return next();
  };
}

function refusal(c: HttpContext, token: Buffer | undefined): AppError {
  c.header('WWW-Authenticate', 'Bearer realm="vault-mcp"');
  return new AppError(
    'unauthorized',
    token === undefined
      ? 'This call needs the API key: send the header "Authorization: Bearer <key>".'
      : 'This server knows no such key; check the header "Authorization: Bearer <key>".',
  );
}
