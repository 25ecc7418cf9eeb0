/**
 * The audit row of each HTTP request: routes say which operation was asked for and with what, this layer adds who asked
 * and how it ended. Danger: probes ask every few seconds and are nobody's calls; they leave no row, or the log would
 * hold little else.
 */
import type { MiddlewareHandler } from 'hono';
import { NOBODY, recordCall } from '../audited-call.ts';
import type { ServedContext } from '../context.ts';
import { type HttpContext, type HttpEnv, rawPathname } from './env.ts';

/** Routes that machines ask to see whether the program is well. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** States what a request asks for, for the audit log. @returns the arguments as they are */
export function callOf<T>(c: HttpContext, operation: string, args: T): T {
  c.set('call', { operation, args });
  return args;
}

export function auditCalls({ audit }: Pick<ServedContext, 'audit'>): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    if (leavesNoRow(c)) return;
    const { operation, args } = c.get('call') ?? unreached(c);
    recordCall(audit, {
      surface: 'rest',
      operation,
      agent: c.get('agent') ?? NOBODY,
      args,
      outcome: c.get('errorCode') ?? 'ok',
      durationMs: performance.now() - started,
    });
  };
}

/** Each tool call leaves its own row; the request that carried it leaves one only when it got no further. */
function leavesNoRow(c: HttpContext): boolean {
  if (PROBES.has(c.get('route') ?? '')) return true;
  return c.get('servedByMcp') === true;
}

/** A request that was refused before any operation was chosen. */
function unreached(c: HttpContext) {
  const operation = `${c.req.method} ${c.get('route') ?? 'unmatched'}`;
  return { operation, args: { path: rawPathname(c) } };
}
