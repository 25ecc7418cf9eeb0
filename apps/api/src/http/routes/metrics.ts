/** `/metrics` for Prometheus: the counters kept here, and gauges read from the status at every scrape. */
import type { Hono } from 'hono';
import type { ServedContext } from '../../context.ts';
import type { ApiMetrics } from '../../metrics.ts';
import { type About, readEmbeddingFigures, readStatus } from '../../operations/status.ts';
import type { HttpEnv } from '../env.ts';
import { resource } from '../methods.ts';

export function metricsRoute(app: Hono<HttpEnv>, context: ServedContext, about: About, metrics: ApiMetrics): void {
  resource(app, '/metrics', {
    GET: async (c) => {
      const status = await readStatus(context, about);
      const { contentType, body } = await metrics.render({ ...status, embedding: readEmbeddingFigures(context) });
      return c.body(body, 200, { 'Content-Type': contentType });
    },
  });
}
