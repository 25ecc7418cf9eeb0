/** An embedder whose query calls are timed for the metrics; everything else is the embedder's own. */
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { withQuery } from './with-query.ts';

/** @param observe told of each query's seconds and whether it gave a vector; must not throw */
export function timedEmbedder(
  embedder: Embedder,
  observe: (sample: { seconds: number; outcome: 'ok' | 'failed' }) => void,
): Embedder {
  return withQuery(embedder, async (text, signal) => {
    const started = performance.now();
    let outcome: 'ok' | 'failed' = 'failed';
    try {
      const vector = await embedder.embedQuery(text, signal);
      outcome = 'ok';
      return vector;
    } finally {
      observe({ seconds: (performance.now() - started) / 1000, outcome });
    }
  });
}
