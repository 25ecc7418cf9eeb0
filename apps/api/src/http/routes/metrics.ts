/** `/metrics` for Prometheus: the counters kept here, and gauges read from the status at every scrape. */
import type { ApiMetrics } from '../../metrics.ts';
import { type About, readEmbeddingFigures, readStatus } from '../../operations/status.ts';
import { type RoutedApp, resource } from '../methods.ts';

export function metricsRoute(app: RoutedApp, about: About, metrics: ApiMetrics): void {
  resource(app, '/metrics', 'scraper', {
    GET: async (c, context) => {
      const status = await readStatus(context, about);
      const { contentType, body } = await metrics.render({ ...status, embedding: readEmbeddingFigures(context) });
      return c.body(body, 200, { 'Content-Type': contentType });
    },
  });
}
