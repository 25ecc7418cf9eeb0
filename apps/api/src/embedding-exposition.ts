/**
 * What embedding the texts of files has come to, as lines for Prometheus. The indexer counts it in its own process, so there is
 * nothing here to observe: its figures are written down as they are. An indexer that starts again counts from nothing, which
 * Prometheus knows how to read.
 */
import type { EmbeddingFigures, LatencyFigures } from '@vault-mcp/shared/index-db/rows';

const DURATION = 'vault_mcp_document_embedding_duration_seconds';
const TEXTS = 'vault_mcp_document_embedding_texts_total';

/** @returns whole lines; none without figures */
export function embeddingExposition(figures: EmbeddingFigures | null): string {
  if (figures === null) return '';
  const { ok, failed } = figures.calls;
  const lines = [
    `# HELP ${DURATION} Time an embedder took for a batch of texts of files, tries included, on whatever machine`,
    `# TYPE ${DURATION} histogram`,
    ...histogramLines('ok', ok),
    ...histogramLines('failed', failed),
    `# HELP ${TEXTS} Texts of files that got a vector`,
    `# TYPE ${TEXTS} counter`,
    `${TEXTS} ${figures.texts}`,
  ];
  return `${lines.join('\n')}\n`;
}

function histogramLines(outcome: string, { bounds, counts, sum }: LatencyFigures): string[] {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return `${DURATION}_bucket{le="${bounds[at] ?? '+Inf'}",outcome="${outcome}"} ${total}`;
  });
  return [
    ...buckets,
    `${DURATION}_sum{outcome="${outcome}"} ${sum}`,
    `${DURATION}_count{outcome="${outcome}"} ${total}`,
  ];
}
