/**
 * `/healthz` says that the process answers and depends on nothing; `/readyz` says whether what it serves is whole,
 * in the same body on 200 and 503, so that whoever is told "no" is also told why.
 */
import type { Hono } from 'hono';
import type { OperationContext } from '../../context.ts';
import { type About, readStatus } from '../../operations/status.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';

export function healthRoute(app: Hono<HttpEnv>): void {
  resource(app, '/healthz', { GET: (c) => c.text('ok') });
}

export function readinessRoute(app: Hono<HttpEnv>, context: OperationContext, about: About): void {
  resource(app, '/readyz', {
    GET: async (c) => {
      const status = await readStatus(context, about);
      return c.json(status, status.status === 'ready' ? 200 : 503);
    },
  });
}
