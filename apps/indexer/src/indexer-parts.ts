/**
 * The indexer's working parts, put together: syncing files, embedding, the build, and the handlers that call them.
 * Nothing runs yet. Danger: the behaviour digest made here decides which stored rows are believed.
 */
import type { Analyzer } from '@vault-mcp/shared/analysis/analyzer';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { BuildRecord, IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { Logger } from '@vault-mcp/shared/log';
import type { HandlersFor, JobQueue } from '@vault-mcp/shared/queue/producer';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import { readerAtOnce } from '@vault-mcp/shared/vault/read-at-once';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { ContentCache } from './cache/cache.ts';
import { createEmbedPending, type EmbedPending } from './embed/embed-pending.ts';
import type { EmbeddingIdentity } from './embed/lane-health.ts';
import { createOcrReadiness, type OcrReadiness } from './extract/ocr-readiness.ts';
import { createIndexPage, type IndexPage } from './index-page.ts';
import type { LaneHandlers } from './jobs/consume-lanes.ts';
import { embedHandlers, extractHandlers, indexHandlers } from './jobs/handlers.ts';
import { createLinkUpkeep, type LinkUpkeep } from './links/link-upkeep.ts';
import type { IndexerRole } from './roles.ts';
import type { IndexerSettings } from './settings.ts';
import { createCacheSweep } from './sweep-cache.ts';
import { type Chunker, createDescriber, type Describer } from './sync/describe-file.ts';
import { LACKS_OCR } from './sync/extraction-result.ts';
import { createMetFileSync } from './sync/met-file.ts';
import { createPathRules, type PathRules } from './sync/path-rules.ts';
import { createFileSync, type SyncOutcome } from './sync/sync-file.ts';
import { HANDED_BACK } from './sync/unread-document.ts';
import { type Build, type BuildDeps, createBuild, isWhole } from './watch/build.ts';
import { reconcile } from './watch/reconcile.ts';

export interface IndexerDeps {
  readonly settings: IndexerSettings;
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly writer: IndexWriter;
  readonly cache: ContentCache;
  readonly analyzer: Analyzer;
  /** Default the product's; another one is for measuring what its rules are worth. */
  readonly chunk?: Chunker | undefined;
  readonly roles: readonly IndexerRole[];
  /** Whose vectors the index holds. */
  readonly embedding: EmbeddingIdentity;
  /** Null without the embed role: others embed. */
  readonly embedder: Embedder | null;
  readonly queue: JobQueue;
  /** For what is written into the vault, the index page and links that are mended; null where neither is. */
  readonly locks: PathLocks | null;
  readonly logger: Logger;
}

export interface IndexerParts {
  readonly build: Build;
  readonly embedPending: EmbedPending;
  /** Null without the extract role: others read documents. */
  readonly ocr: OcrReadiness | null;
  readonly page: IndexPage;
  readonly links: LinkUpkeep;
  /** Behaviour digest in force. */
  readonly digest: string;
  /** Of the queues that this process's roles make it consume; of the others null. */
  readonly handlers: LaneHandlers & { readonly index: HandlersFor<'index'> };
}

/** What the parts tell the indexer. */
export interface IndexerHooks extends Pick<BuildDeps, 'wipe' | 'onLeft' | 'onChange' | 'onReady'> {
  /** The text of a document has come, or why it has none. */
  readonly onDocumentRead: (sha256: string) => void;
  readonly onError: (error: unknown) => void;
  /** Scans can be recognised by now that could not be before: a reconcile is wanted. */
  readonly onOcrBack: () => void;
}

export function createIndexerParts(deps: IndexerDeps, hooks: IndexerHooks): IndexerParts {
  const { settings, vault, presence, writer, cache, queue, logger, embedding, embedder, roles } = deps;
  const rules = createPathRules({ docSuffixes: vault.docSuffixes, ...settings.rules });
  const describer = createDescriber(deps.analyzer, settings.chunking, settings.extraction, deps.chunk);
  const sync = createFileSync({
    ...{ vault, presence, writer, cache, describer, rules, logger },
    readAtOnce: readerAtOnce(vault),
    producer: queue,
    ...settings.limits,
  });
  const embedPending = createEmbedPending({
    ...{ writer, cache, logger },
    producer: queue,
    space: embedding.space,
    dims: embedding.dims,
    onError: hooks.onError,
    ...settings.embedding,
  });
  const sweepCache = createCacheSweep({ cache, writer, logger, space: embedding.space, onError: hooks.onError });
  const ocr = roles.includes('extract') ? createOcrReadiness({ ...settings.extraction, logger }) : null;
  const build = createBuild(
    {
      wipe() {
        hooks.wipe();
        page.forget();
      },
      reconcile: (met, signal) => {
        void askForOcr(ocr, deps, hooks, signal);
        return pass(deps, { rules, describer, page }, met, signal);
      },
      lookAt: createMetFileSync({
        ...{ sync, producer: queue, logger },
        onSynced: () => void embedPending.kick(),
      }),
      onLeft: hooks.onLeft,
      onChange: hooks.onChange,
      onReady() {
        hooks.onReady();
        page.ask();
        links.ask();
        void sweepCache();
      },
      logger,
      ...settings.build,
    },
    lastBuild(writer, describer.digest),
  );
  const page = createIndexPage(deps, { build: () => build, onChange: hooks.onChange });
  const links = createLinkUpkeep(
    { vault, presence, writer, queue, logger, locks: deps.locks, settings: settings.links, rules: settings.rules },
    { isWhole: () => isWhole(build), onError: hooks.onError },
  );
  const onSynced = (outcome: SyncOutcome) => {
    page.synced(outcome);
    if (outcome === 'stored' || outcome === 'removed') links.ask();
  };
  return {
    ...{ build, embedPending, ocr, page, links },
    digest: describer.digest,
    handlers: {
      index: indexHandlers({ onDocumentRead: hooks.onDocumentRead, sync, build, embedPending, page, onSynced, logger }),
      embed: embedder && embedHandlers({ embedder, producer: queue, logger, restMs: settings.embedding.restMs }),
      extract: roles.includes('extract')
        ? extractHandlers({ vault, producer: queue, logger, settings: settings.extraction })
        : null,
    },
  };
}

/**
 * Beside the reconcile, which does not wait: a tesseract that hangs holds nothing up. Whatever was set aside for want of it
 * is asked for again each time that it is there: what read the document may have been told otherwise a moment ago.
 */
async function askForOcr(
  ocr: OcrReadiness | null,
  { writer }: Pick<IndexerDeps, 'writer'>,
  { onChange, onOcrBack, onError }: Pick<IndexerHooks, 'onChange' | 'onOcrBack' | 'onError'>,
  signal: AbortSignal,
): Promise<void> {
  const isThere = (await ocr?.refresh()) ?? false;
  if (signal.aborted) return;
  onChange();
  if (!isThere) return;
  try {
    // What a worker has handed back is asked for at each reconcile anyway, and would bring on another one each time.
    const made = LACKS_OCR.map((reason) => writer.makeStale(reason, HANDED_BACK));
    if (made.some((documents) => documents > 0)) onOcrBack();
  } catch (error) {
    onError(error);
  }
}

function pass(
  { vault, presence, writer }: IndexerDeps,
  { rules, describer, page }: { rules: PathRules; describer: Describer; page: IndexPage },
  met: (path: string) => void,
  signal: AbortSignal,
) {
  // What the embedder refused is tried once more a reconcile: it may have been its fault, and over by now.
  writer.embeddings.retryFailed();
  return reconcile({
    ...{ vault, presence, writer, rules, signal, met },
    isSettled: (path, stat) => page.isSettled(path, stat),
    digests: {
      note: [describer.digest],
      document: describer.current.map(({ documentDigest }) => documentDigest),
    },
  });
}

/** An index that was whole when it was last written, by the same rules, is searchable at once. */
function lastBuild(writer: IndexWriter, digest: string): BuildRecord | null {
  const build = writer.fresh === null ? writer.lastBuild() : null;
  return build?.digest === digest ? build : null;
}
