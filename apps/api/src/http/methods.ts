/**
 * Registers a resource's methods and answers every other one with 405 and `Allow`, so that no route can forget to.
 * HEAD comes with GET: Hono runs the GET handler and drops the body. Danger: no route holds a context of its own. It says
 * whose business it is, and is handed what its caller's rights allow; so a route cannot forget to ask.
 */
import { AppError } from '@vault-mcp/shared/errors';
import type { Hono } from 'hono';
import type { Audience, Callers } from '../callers.ts';
import type { ServedContext } from '../context.ts';
import type { HttpContext, HttpEnv } from './env.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Answer = Response | Promise<Response>;
/** @param context what this caller's call works on */
export type RouteHandler = (c: HttpContext, context: ServedContext) => Answer;
/** For whoever asks: it works on nothing. */
export type OpenHandler = (c: HttpContext) => Answer;

/** What routes are put on. */
export interface RoutedApp {
  readonly hono: Hono<HttpEnv>;
  readonly callers: Callers;
  /** By method and pattern (`GET /links`), whose business each is. */
  readonly classes: Map<string, Audience>;
}

/**
 * @param path Hono pattern; it is also the route's name in logs and metrics
 * @param audience whose business it is
 * @param handlers one per method served
 */
export function resource(
  app: RoutedApp,
  path: string,
  audience: 'anyone',
  handlers: Partial<Record<Method, OpenHandler>>,
): void;
export function resource(
  app: RoutedApp,
  path: string,
  audience: Exclude<Audience, 'anyone'>,
  handlers: Partial<Record<Method, RouteHandler>>,
): void;
export function resource(
  { hono, callers, classes }: RoutedApp,
  path: string,
  audience: Audience,
  handlers: Partial<Record<Method, RouteHandler | OpenHandler>>,
): void {
  const methods = Object.keys(handlers) as Method[];
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  for (const method of methods) {
    const handler = handlers[method];
    if (!handler) continue;
    classes.set(`${method} ${path}`, audience);
    hono.on(method, path, (c) => {
      c.set('route', path);
      if (audience === 'anyone') return (handler as OpenHandler)(c);
      return handler(c, callers.contextFor(c.get('principal'), audience));
    });
  }
  hono.all(path, (c) => {
    c.set('route', path);
    c.header('Allow', allow);
    throw new AppError('method_not_allowed', `This method is not served here; use one of: ${allow}.`);
  });
}
