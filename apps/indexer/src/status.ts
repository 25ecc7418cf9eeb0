/**
 * Publishes the indexer's state through the index database: on change, and as a heartbeat. Danger: the api takes a
 * heartbeat older than 15 s for a dead indexer, so this must go on while long work runs, and never throw.
 */
import type { IndexerStatus } from '@vault-mcp/shared/index-db/rows';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import { createOutageLog, type Logger, reasonOf } from '@vault-mcp/shared/log';
import type { JobQueue, QueueStats } from '@vault-mcp/shared/queue/producer';
import type { ContentCache } from './cache/cache.ts';
import { type DocumentsInHand, watchDocumentsInHand } from './documents-in-hand.ts';
import type { EmbedPending } from './embed/embed-pending.ts';
import { type LaneSources, laneHealth } from './embed/lane-health.ts';
import type { OcrReadiness } from './extract/ocr-readiness.ts';
import type { Build } from './watch/build.ts';
import type { WatcherState } from './watch/watcher.ts';

export interface StatusSources {
  readonly writer: IndexWriter;
  readonly cache: ContentCache;
  readonly embedding: LaneSources & { readonly lane: Pick<EmbedPending, 'figures'> };
  readonly queue: Pick<JobQueue, 'stats' | 'inHand'>;
  /** Null where others read documents. */
  readonly ocr: Pick<OcrReadiness, 'state'> | null;
  readonly build: Build;
  readonly watcher: () => WatcherState;
  readonly page: { state(): IndexerStatus['indexDoc'] };
  readonly logger: Logger;
}

export interface StatusPublisher {
  /** Publishes soon; many calls in a row make one write. */
  changed(): void;
  /** No document with these bytes is being read any more. */
  documentRead(sha256: string): void;
  /** Publishes now. */
  publish(): Promise<void>;
  stop(): void;
}

/** A third of what the api allows before it calls the indexer dead. */
const HEARTBEAT_MS = 5000;
const CHANGE_DELAY_MS = 100;

export function startStatusPublisher(sources: StatusSources): StatusPublisher {
  let soon: NodeJS.Timeout | null = null;
  let stopped = false;
  const outage = createOutageLog(sources.logger, {
    away: 'the status cannot be published: the api will take this program for dead',
    back: 'the status is published again',
  });
  const publish = async () => {
    const queue = await sources.queue.stats();
    if (stopped) return;
    try {
      sources.writer.publishStatus(currentStatus(sources, queue, documents));
      outage.back();
    } catch (error) {
      outage.away(reasonOf(error));
    }
  };
  // Also how a document that another process reads gets on: it is no event here.
  const documents = watchDocumentsInHand(sources.queue, () => void publish());
  const beat = setInterval(() => void publish(), HEARTBEAT_MS);
  return {
    changed() {
      if (soon || stopped) return;
      soon = setTimeout(() => {
        soon = null;
        void publish();
      }, CHANGE_DELAY_MS);
    },
    documentRead: (sha256) => documents.read(sha256),
    publish,
    stop() {
      stopped = true;
      documents.stop();
      clearInterval(beat);
      if (soon) clearTimeout(soon);
    },
  };
}

function currentStatus(sources: StatusSources, queue: QueueStats, documents: DocumentsInHand): IndexerStatus {
  const { state, error, builtAt, buildSeconds, unreadable, waiting } = sources.build.state();
  const embedder = laneHealth(sources.embedding, queue.consumers?.embed);
  return {
    heartbeatMs: Date.now(),
    state,
    error,
    builtAt,
    buildSeconds,
    unreadable,
    waiting,
    watcher: sources.watcher(),
    queue,
    embedder: { ok: embedder.ok, provider: embedder.provider, model: embedder.model, error: embedder.error ?? null },
    embedding: sources.embedding.lane.figures(),
    extraction: { reading: documents.now(), ocr: sources.ocr?.state() ?? null },
    cache: sources.cache.state(),
    indexDoc: sources.page.state(),
  };
}
