/**
 * Counts what embedding costs, by what comes back from the lane and is stored: so the calls of workers on other machines are
 * counted too, by the one process whose report the api reads. Pure bookkeeping. Danger: a queue delivers at least once, and
 * results that were stored twice count twice.
 */
import type { EmbeddingFigures, LatencyFigures } from '@vault-mcp/shared/index-db/rows';

/** A call of an embedder whose results have been stored. */
export interface EmbedderCall {
  /** Left out by a worker that did not ask its embedder, or is of an earlier version: then nothing is counted. */
  readonly seconds: number | undefined;
  /** Texts that have a vector by it. */
  readonly texts: number;
  /** Whether the embedder answered; that one text cannot be embedded is an answer too. */
  readonly answered: boolean;
}

export interface EmbeddingCounter {
  count(call: EmbedderCall): void;
  figures(): EmbeddingFigures;
}

/** Seconds: a batch takes from some milliseconds (one text, a fast card) to minutes (64 texts, a slow processor). */
const BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120];

export function createEmbeddingCounter(): EmbeddingCounter {
  let texts = 0;
  const calls = { ok: createLatency(), failed: createLatency() };
  return {
    count(call) {
      if (call.seconds === undefined) return;
      texts += call.texts;
      calls[call.answered ? 'ok' : 'failed'].observe(call.seconds);
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
