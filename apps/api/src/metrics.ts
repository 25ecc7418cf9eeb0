/**
 * What Prometheus reads. One registry per app, nothing global, so that two apps in one process (tests, embedded
 * mode) never meet. Danger: label values come from closed sets (route patterns, tool names, error codes); a path or
 * a query as a label would both leak it and grow without end.
 */
import type { ErrorCode } from '@vault-mcp/shared/errors';
import type { EmbeddingFigures, IndexCounts } from '@vault-mcp/shared/index-db/rows';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { embeddingExposition } from './embedding-exposition.ts';

/** What the gauges show; read afresh for every scrape. The status body of `/readyz` is one. */
export interface GaugeReadings {
  readonly status: 'ready' | 'not_ready';
  readonly index: IndexCounts;
  readonly queue: { readonly queues?: Readonly<Record<string, { readonly depth: number; readonly failed: number }>> };
  readonly extraction: {
    readonly pending: number;
    readonly needs_ocr: number;
    readonly failed: number;
    readonly reading: readonly unknown[];
  };
  /** The indexer's own count; null while there is none. */
  readonly embedding: EmbeddingFigures | null;
}

export interface ApiMetrics {
  httpRequest(sample: { route: string; method: string; status: number; seconds: number }): void;
  toolCall(sample: { tool: string; outcome: 'ok' | ErrorCode; seconds: number }): void;
  error(surface: 'http' | 'mcp', code: ErrorCode): void;
  queryEmbedding(sample: { seconds: number; outcome: 'ok' | 'failed' }): void;
  /** The text exposition, gauges set from `readings`. */
  render(readings: GaugeReadings): Promise<{ contentType: string; body: string }>;
}

/** Seconds. The figures to reach are 10 to 60 ms, so the buckets are dense there. */
const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.6, 1.2, 2.5, 5, 10];

/** Methods served or likely; anything else shares one label value. */
const METHOD_LABELS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function createGauges(registry: Registry): (readings: GaugeReadings) => void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const ready = gauge('vault_mcp_ready', '1 when the index, its page and the watcher are well');
  const notes = gauge('vault_mcp_index_notes', 'Notes in the index');
  const documents = gauge('vault_mcp_index_documents', 'Documents in the index');
  const quarantined = gauge('vault_mcp_index_quarantined_files', 'Files that could not be indexed');
  const byQueue = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['queue'], registers: [registry] });
  const depth = byQueue('vault_mcp_queue_depth', 'Jobs waiting or running; none while the queue cannot be reached');
  const failedJobs = byQueue('vault_mcp_queue_failed', 'Jobs that gave up');
  const chunks = gauge('vault_mcp_index_chunks', 'Chunks in the index');
  const byState = new Gauge({
    name: 'vault_mcp_index_chunk_embeddings',
    help: 'Chunks by the state of their embedding',
    labelNames: ['state'],
    registers: [registry],
  });
  const withoutText = new Gauge({
    name: 'vault_mcp_extraction_documents',
    help: 'Documents whose text is still to come (those being read included), needs OCR, or cannot be had',
    labelNames: ['state'],
    registers: [registry],
  });
  const reading = gauge('vault_mcp_extraction_reading', 'Documents being read right now, on whatever machine');
  return ({ status, index, queue, extraction }) => {
    ready.set(status === 'ready' ? 1 : 0);
    notes.set(index.notes);
    documents.set(index.documents);
    quarantined.set(index.quarantined);
    depth.reset();
    failedJobs.reset();
    for (const [name, jobs] of Object.entries(queue.queues ?? {})) {
      depth.set({ queue: name }, jobs.depth);
      failedJobs.set({ queue: name }, jobs.failed);
    }
    chunks.set(index.chunks);
    for (const state of ['embedded', 'pending', 'failed'] as const) byState.set({ state }, index[state]);
    for (const state of ['pending', 'needs_ocr', 'failed'] as const) withoutText.set({ state }, extraction[state]);
    reading.set(extraction.reading.length);
  };
}

export function createMetrics(): ApiMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const setGauges = createGauges(registry);
  const requests = new Histogram({
    name: 'vault_mcp_http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['route', 'method', 'status'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  const tools = new Histogram({
    name: 'vault_mcp_tool_duration_seconds',
    help: 'Time of a tool call, by tool',
    labelNames: ['tool', 'outcome'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  const embeddings = new Histogram({
    name: 'vault_mcp_query_embedding_duration_seconds',
    help: "Time the embedder took for a search's query",
    labelNames: ['outcome'],
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'vault_mcp_errors_total',
    help: 'Refused or failed calls, by error code',
    labelNames: ['surface', 'code'],
    registers: [registry],
  });
  return {
    httpRequest({ route, method, status, seconds }) {
      requests.observe({ route, method: METHOD_LABELS.has(method) ? method : 'other', status }, seconds);
    },
    toolCall({ tool, outcome, seconds }) {
      tools.observe({ tool, outcome }, seconds);
      if (outcome !== 'ok') errors.inc({ surface: 'mcp', code: outcome });
    },
    error(surface, code) {
      errors.inc({ surface, code });
    },
    queryEmbedding({ seconds, outcome }) {
      embeddings.observe({ outcome }, seconds);
    },
    async render(readings) {
      setGauges(readings);
      const body = (await registry.metrics()) + embeddingExposition(readings.embedding);
      return { contentType: registry.contentType, body };
    },
  };
}
