/**
 * Bearer authentication in front of every route but the liveness probe and the OAuth probes. Danger: the exemptions
 * compare the raw path for equality; a prefix or a decoded comparison here would open whatever normalises to it.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '@vault-mcp/shared/errors';
import type { MiddlewareHandler } from 'hono';
import { OPERATOR } from '../audited-call.ts';
import { type HttpContext, type HttpEnv, rawPathname } from './env.ts';

export interface AuthKeys {
  /** Opens everything. Never empty: an empty key would mean no authentication. */
  readonly apiKey: string;
  /** Opens `/metrics` only. */
  readonly metricsKey?: string | undefined;
}

/** Both sides are hashed first, so that the comparison takes the same time whatever their lengths. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

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

/**
 * @param keys the keys in force for the life of the process
 * @throws Error at start when the API key is empty
 */
export function bearerAuth(keys: AuthKeys): MiddlewareHandler<HttpEnv> {
  if (keys.apiKey.trim() === '') throw new Error('The API key is empty; refusing to serve without authentication.');
  const apiDigest = digest(Buffer.from(keys.apiKey, 'utf8'));
  const metricsDigest = keys.metricsKey ? digest(Buffer.from(keys.metricsKey, 'utf8')) : undefined;
  return async (c, next) => {
    const path = rawPathname(c);
    if (isOpenPath(c.req.method, path)) return next();
    const token = bearerToken(c);
    if (token !== undefined) {
      const given = digest(token);
      if (timingSafeEqual(given, apiDigest)) {
        c.set('agent', OPERATOR);
        return next();
      }
      if (metricsDigest && path === '/metrics' && timingSafeEqual(given, metricsDigest)) return next();
    }
    c.header('WWW-Authenticate', 'Bearer realm="vault-mcp"');
    throw new AppError(
      'unauthorized',
      token === undefined
        ? 'This call needs the API key: send the header "Authorization: Bearer <key>".'
        : 'The API key is not the one this server was started with; check the header "Authorization: Bearer <key>".',
    );
  };
}
