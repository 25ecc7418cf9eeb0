/**
 * What each job does: parse is done, so every handler is one call. Complete by type: a job without a handler does not
 * compile. Danger: delivery is at least once and in any order, so each call must be safe to repeat.
 */
import type { Logger } from '@vault-mcp/shared/log';
import type { HandlersFor } from '@vault-mcp/shared/queue/producer';
import { type EmbedChunksDeps, embedChunks, embedderOutage } from '../embed/embed-chunks.ts';
import type { EmbedPending } from '../embed/embed-pending.ts';
import { type ExtractDocumentDeps, extractDocumentJob } from '../extract/extract-document-job.ts';
import type { FileSync, SyncOutcome } from '../sync/sync-file.ts';
import type { Build } from '../watch/build.ts';

export function indexHandlers(deps: {
  sync: FileSync;
  build: Build;
  embedPending: EmbedPending;
  page: { publish(): Promise<void> };
  /** A path has been looked at for a job of its own. */
  onSynced: (outcome: SyncOutcome) => void;
  onDocumentRead: (sha256: string) => void;
  logger: Logger;
}): HandlersFor<'index'> {
  const { sync, build, embedPending, page, onSynced, logger } = deps;
  return {
    'sync-path': async ({ path, request_id }, { lastAttempt }) => {
      const log = request_id === undefined ? logger : logger.child({ request_id });
      const outcome = await build.settle(path, lastAttempt, () => sync.syncPath(path, { logger: log }));
      if (request_id !== undefined) log.info({ path, outcome }, 'looked at what a call changed');
      void embedPending.kick();
      onSynced(outcome);
    },
    'publish-catalog': () => page.publish(),
    // One job until its files have been looked at, so that a queue said to be empty means what it says.
    reconcile: async ({ rebuild }) => {
      await build.run({ rebuild: rebuild ?? false });
      await build.idle();
    },
    'store-vectors': (result) => embedPending.store(result),
    'store-extraction': async (result) => {
      await sync.storeExtraction(result);
      // What was handed back somebody else may have in hand by now.
      if (result.retry === undefined) deps.onDocumentRead(result.sha256);
      void embedPending.kick();
    },
  };
}

export function embedHandlers(parts: Omit<EmbedChunksDeps, 'outage'>): HandlersFor<'embed'> {
  const deps = { ...parts, outage: embedderOutage(parts.embedder, parts.logger) };
  return { 'embed-chunks': (payload, context) => embedChunks(payload, deps, context) };
}

export function extractHandlers(deps: ExtractDocumentDeps): HandlersFor<'extract'> {
  return { 'extract-document': (payload, context) => extractDocumentJob(payload, deps, context) };
}
