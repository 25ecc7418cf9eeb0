/**
 * Refuses a request whose path, as it was sent, is not the path that was routed. Danger: URL parsing folds `..` and
 * `%2e%2e` before any route is chosen, so what a handler is given may name something the client never wrote.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { MiddlewareHandler } from 'hono';
import { type HttpContext, type HttpEnv, rawPathname } from './env.ts';

const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i;

export const refuseDotSegments: MiddlewareHandler<HttpEnv> = async (c, next) => {
  // No client that parses URLs sends a fragment; what sends one means a name with "#", and would be given another note.
  if (c.env?.incoming?.url?.includes('#')) {
    throw new AppError('invalid_request', 'A "#" in a path or a query is written %23.');
  }
  const path = rawPathname(c);
  if (DOT_SEGMENT.test(path)) {
    throw new AppError('invalid_path', 'A path may not hold "." or ".." as a part; give the path from the vault root.');
  }
  return next();
};

/**
 * What stands behind a route's mount in the path as sent, still encoded.
 * @param mount without trailing slash, e.g. `/vault`
 * @returns without its leading slash; `''` for the mount itself
 * @throws AppError invalid_path when the mount was only reached by decoding or folding
 */
export function rawPathBehind(c: HttpContext, mount: string): string {
  const path = rawPathname(c);
  if (path === mount) return '';
  if (!path.startsWith(`${mount}/`)) {
    throw new AppError('invalid_path', `Write the path plainly: ${mount}/ followed by the path in the vault.`);
  }
  return path.slice(mount.length + 1);
}
