/**
 * Registers a resource's methods and answers every other one with 405 and `Allow`, so that no route can forget to.
 * HEAD comes with GET: Hono runs the GET handler and drops the body.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { Hono } from 'hono';
import type { HttpContext, HttpEnv } from './env.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type RouteHandler = (c: HttpContext) => Response | Promise<Response>;

/**
 * @param path Hono pattern; it is also the route's name in logs and metrics
 * @param handlers one per method served
 */
export function resource(app: Hono<HttpEnv>, path: string, handlers: Partial<Record<Method, RouteHandler>>): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  for (const method of methods) {
    const handler = handlers[method];
    if (!handler) continue;
    app.on(method, path, (c) => {
      c.set('route', path);
      return handler(c);
    });
  }
  app.all(path, (c) => {
    c.set('route', path);
    c.header('Allow', allow);
    throw new AppError('method_not_allowed', `This method is not served here; use one of: ${allow}.`);
  });
}
