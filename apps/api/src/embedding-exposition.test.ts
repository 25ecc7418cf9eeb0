import { describe, expect, it } from 'vitest';
import { embeddingExposition } from './embedding-exposition.ts';

const NONE = { bounds: [0.1, 1], counts: [0, 0, 0], sum: 0 };

describe('figures of embedding for Prometheus', () => {
  it('are a histogram whose buckets count up to all calls, by outcome, and a counter of texts', () => {
    const ok = { bounds: [0.1, 1], counts: [2, 1, 4], sum: 12.5 };
    const lines = embeddingExposition({ texts: 400, calls: { ok, failed: NONE } }).split('\n');
    const name = 'vault_mcp_document_embedding_duration_seconds';
    expect(lines).toContain(`# TYPE ${name} histogram`);
    expect(lines.filter((line) => line.includes('outcome="ok"'))).toEqual([
      `${name}_bucket{le="0.1",outcome="ok"} 2`,
      `${name}_bucket{le="1",outcome="ok"} 3`,
      `${name}_bucket{le="+Inf",outcome="ok"} 7`,
      `${name}_sum{outcome="ok"} 12.5`,
      `${name}_count{outcome="ok"} 7`,
    ]);
    expect(lines).toContain(`${name}_count{outcome="failed"} 0`);
    expect(lines).toContain('vault_mcp_document_embedding_texts_total 400');
    expect(lines.at(-1)).toBe('');
  });

  it('are left out while no indexer has told any', () => {
    expect(embeddingExposition(null)).toBe('');
  });
});
