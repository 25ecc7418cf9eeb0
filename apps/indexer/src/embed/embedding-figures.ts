/**
 * Counts what embedding costs, by what comes back from the lane: so the calls of workers on other machines are counted too,
 * by the one process whose report the api reads. Pure bookkeeping. Danger: a result may come twice, and then it counts twice.
 */
import type { EmbeddingFigures, LatencyFigures } from '@vault-mcp/shared/index-db/rows';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';

export interface EmbeddingCounter {
  /** One job's results; of a worker that did not ask its embedder, or is of an earlier version, nothing is counted. */
  count(result: JobPayload<'store-vectors'>): void;
  figures(): EmbeddingFigures;
}

/** Seconds: a batch takes from some milliseconds (one text, a fast card) to minutes (64 texts, a slow processor). */
const BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120];

export function createEmbeddingCounter(): EmbeddingCounter {
  let texts = 0;
  const calls = { ok: createLatency(), failed: createLatency() };
  return {
    count({ vectors, seconds }) {
      if (seconds === undefined) return;
      texts += vectors.filter((item) => 'vector' in item).length;
      // One text that cannot be embedded is an answer; what is to be tried again had none.
      calls[vectors.some((item) => 'retry' in item) ? 'failed' : 'ok'].observe(seconds);
    },
    figures: () => ({ texts, calls: { ok: calls.ok.read(), failed: calls.failed.read() } }),
  };
}

function createLatency(): { observe(seconds: number): void; read(): LatencyFigures } {
  const counts = new Array<number>(BOUNDS.length + 1).fill(0);
  let sum = 0;
  return {
    observe(seconds) {
      const found = BOUNDS.findIndex((bound) => seconds <= bound);
      const at = found < 0 ? BOUNDS.length : found;
      counts[at] = (counts[at] ?? 0) + 1;
      sum += seconds;
    },
    read: () => ({ bounds: BOUNDS, counts: [...counts], sum }),
  };
}
