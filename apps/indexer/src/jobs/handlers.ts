/**
 * What each job does: parse is done, so every handler is one call. Complete by type: a job without a handler does not
 * compile. Danger: delivery is at least once and in any order, so each call must be safe to repeat.
 */
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { HandlersFor, JobProducer } from '@vault-mcp/shared/queue/producer';
import { embedChunks } from '../embed/embed-chunks.ts';
import type { EmbedPending } from '../embed/embed-pending.ts';
import { type ExtractDocumentDeps, extractDocumentJob } from '../extract/extract-document-job.ts';
import type { FileSync } from '../sync/sync-file.ts';
import type { Build } from '../watch/build.ts';

export function indexHandlers(deps: {
  sync: FileSync;
  build: Build;
  embedPending: EmbedPending;
}): HandlersFor<'index'> {
  const { sync, build, embedPending } = deps;
  return {
    'sync-path': async ({ path, source }, { attempt, lastAttempt }) => {
      // A second attempt stands alone: a file that makes its group fail must not do so again.
      const grouped = source === 'scan' && attempt === 1;
      await build.settle(path, lastAttempt, () => sync.syncPath(path, { grouped }));
      void embedPending.kick();
    },
    reconcile: ({ rebuild }) => build.run({ rebuild: rebuild ?? false }),
    'store-vectors': (result) => embedPending.store(result),
    'store-extraction': async (result) => {
      await sync.storeExtraction(result);
      void embedPending.kick();
    },
  };
}

export function embedHandlers(deps: { embedder: Embedder; producer: JobProducer }): HandlersFor<'embed'> {
  return { 'embed-chunks': (payload, { signal }) => embedChunks(payload, { ...deps, signal }) };
}

export function extractHandlers(deps: ExtractDocumentDeps): HandlersFor<'extract'> {
  return { 'extract-document': (payload, { signal }) => extractDocumentJob(payload, deps, signal) };
}
