/**
 * The indexer as a whole: watcher, reconciles, jobs and embedding around one index writer. Composes and owns nothing it was
 * not given, and does nothing at import. Danger: exactly one may run per data folder (see index-db/writer-lock).
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDamaged } from '@vault-mcp/shared/index-db/open';
import { clearLane } from '@vault-mcp/shared/queue/clear-lane';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import type { Consumer, JobProblem } from '@vault-mcp/shared/queue/producer';
import { settledWithin } from '@vault-mcp/shared/queue/settled-within';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { giveBackMemory } from './give-back-memory.ts';
import { createIndexerParts, type IndexerDeps, type IndexerParts } from './indexer-parts.ts';
import { consumeLanes, jobProblemDetails, logJobProblem } from './jobs/consume-lanes.ts';
import { type StatusPublisher, startStatusPublisher } from './status.ts';
import { VAULT_GONE } from './sync/outage.ts';
import { OF_BEFORE_START } from './sync/unread-document.ts';
import type { Build } from './watch/build.ts';
import { type CatchUp, createCatchUp } from './watch/catch-up.ts';
import { startUpkeep, type Upkeep } from './watch/upkeep.ts';
import { unwatched, type VaultWatcher, type WatcherState, watchVault } from './watch/watcher.ts';

export interface Indexer {
  /** Starts watcher, consumers and the first reconcile; resolves once they run, not once it is done. */
  start(): Promise<void>;
  /** The queue may have lost jobs: reconciles and asks for vectors again. */
  recover(): Promise<void>;
  /** Progress of the text side. */
  build(): Build;
  /** Resolves when it is kept that all until now came before what comes next; see LinkUpkeep. */
  linksIdle(): Promise<void>;
  /** A grouped commit failed on its own: its files are looked at again, later each time. */
  filesLost(error: unknown): void;
  /** Finishes jobs and files in hand, for `timeoutMs` at most; lets go of everything started here. */
  stop(options: { timeoutMs: number }): Promise<void>;
}

/** A reconcile and a rebuild hold a place each until their files are in; news must not wait behind them. */
const INDEX_CONCURRENCY = 3;
const FIRST_SCAN_RETRY_MS = 1000;

export function createIndexer(deps: IndexerDeps): Indexer {
  return new VaultIndexer(deps);
}

class VaultIndexer implements Indexer {
  readonly #deps: IndexerDeps;
  readonly #parts: IndexerParts;
  readonly #catchUp: CatchUp;
  #status: StatusPublisher | null = null;
  #watcher: VaultWatcher | null = null;
  #consumers: Consumer[] = [];
  #interval: NodeJS.Timeout | null = null;
  #upkeep: Upkeep | null = null;
  /** The reconcile that runs outside of the queue, if any; never rejects. */
  #pass: Promise<void> = Promise.resolve();
  #rebuilding = false;
  #stopped = false;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
    this.#catchUp = createCatchUp(() => void this.#addReconcile(), deps.logger);
    this.#parts = createIndexerParts(deps, {
      wipe: () => this.#wipe(),
      onChange: () => this.#status?.changed(),
      onDocumentRead: (sha256) => this.#status?.documentRead(sha256),
      onReady: () => this.#onTextReady(),
      onError: (error) => this.#onFault(error, 'vectors could not be stored'),
      onLeft: (error) => this.#onFileLeft(error),
      onOcrBack: () => void this.#addReconcile(),
    });
  }

  async start(): Promise<void> {
    const { settings, vault, writer, embedding, embedder, queue, logger, cache } = this.#deps;
    const { build, embedPending, ocr, page } = this.#parts;
    if (writer.fresh) logger.info({ reason: writer.fresh }, 'building a new index');
    this.#claimIndex();
    this.#status = startStatusPublisher({
      ...{ writer, cache, queue, logger, build, ocr, page },
      embedding: { identity: embedding, embedder, lane: embedPending },
      watcher: () => this.#watcherState(),
    });
    await this.#status.publish();
    await this.#consume();
    if (settings.watch.enabled) this.#watcher = await this.#watch(vault);
    this.#pass = this.#firstReconcile();
    this.#upkeep = this.#startUpkeep();
    if (settings.watch.reconcileSeconds > 0) {
      this.#interval = setInterval(() => void this.#addReconcile(), settings.watch.reconcileSeconds * 1000);
    }
  }

  build(): Build {
    return this.#parts.build;
  }

  readonly linksIdle = (): Promise<void> => this.#parts.links.idle();

  async recover(): Promise<void> {
    await this.#addReconcile();
    await this.#parts.embedPending.restart();
  }

  filesLost(error: unknown): void {
    if (isDamaged(error)) {
      this.#deps.logger.error({ err: error }, 'files could not be stored in the index');
      this.#rebuild('the index file is damaged');
      return;
    }
    this.#parts.build.lost(error);
    this.#catchUp.behind(error);
  }

  async stop({ timeoutMs }: { timeoutMs: number }): Promise<void> {
    this.#stopped = true;
    if (this.#interval) clearInterval(this.#interval);
    this.#upkeep?.stop();
    this.#catchUp.stop();
    this.#parts.build.stop();
    this.#parts.page.stop();
    await this.#watcher?.close();
    this.#parts.embedPending.stop();
    await Promise.all([
      settledWithin([this.#pass, this.#parts.build.idle(), this.#parts.links.stop()], timeoutMs),
      ...this.#consumers.map((consumer) => consumer.close({ timeoutMs })),
    ]);
    this.#status?.stop();
  }

  /** Makes the open index this indexer's own; one that turns out damaged here is made anew. */
  #claimIndex(): void {
    const { writer, embedding, logger } = this.#deps;
    try {
      writer.passes.follow(JSON.stringify([this.#deps.settings.rules, this.#deps.vault.docSuffixes]));
      for (const reason of OF_BEFORE_START) writer.makeStale(reason);
      if (writer.embeddings.useSpace(embedding.space)) {
        logger.warn(
          { model: embedding.model },
          'other embedding model or prefixes than before: all vectors are made anew',
        );
      }
    } catch (error) {
      if (!isDamaged(error)) throw error;
      logger.error({ err: error }, 'the index file is damaged: building the index anew');
      this.#wipe();
    }
  }

  async #consume(): Promise<void> {
    const { queue } = this.#deps;
    const onError = (problem: JobProblem) => this.#onJobError(problem);
    this.#consumers = [
      await queue.consume('index', this.#parts.handlers.index, {
        concurrency: INDEX_CONCURRENCY,
        onError,
        alone: true,
      }),
      ...(await consumeLanes(queue, this.#parts.handlers, onError)),
    ];
  }

  #watcherState(): WatcherState {
    const state = this.#watcher?.state() ?? unwatched(this.#deps.settings.watch.enabled);
    return (this.#upkeep?.isVaultThere() ?? true) ? state : { ...state, ok: false, error: VAULT_GONE };
  }

  #startUpkeep(): Upkeep {
    const { writer, presence, vault, settings, logger } = this.#deps;
    return startUpkeep({
      presence,
      isIndexInPlace: () => writer.isInPlace(),
      onIndexGone: () => this.#rebuild('the index file was removed or replaced'),
      onVaultGone: () => {
        logger.error(VAULT_GONE);
        this.#status?.changed();
      },
      onVaultBack: async () => {
        logger.info('the vault folder is back');
        this.#status?.changed();
        // What was watched is another folder now.
        await this.#watcher?.close();
        if (settings.watch.enabled) this.#watcher = await this.#watch(vault);
        this.#pass = this.#parts.build.run({ rebuild: false });
      },
      onError: (error) => this.#onFault(error, 'the upkeep failed'),
    });
  }

  #watch(vault: Vault): Promise<VaultWatcher> {
    const { settings, logger } = this.#deps;
    return watchVault({
      root: vault.root,
      logger,
      debounceSeconds: settings.watch.debounceSeconds,
      polling: settings.watch.polling,
      onPath: (path) => this.#addNews(path),
      onFolderGone: (folder) => this.#addBelow(folder),
      onState: () => this.#status?.changed(),
    });
  }

  #addNews(path: string): void {
    this.#deps.queue.add('sync-path', { path, source: 'news' }).catch((error: unknown) => {
      logDeferred(this.#deps.logger, error, 'a change waits for the next reconcile', { path });
    });
  }

  #addBelow(folder: string): void {
    // The vault itself: not news about its files, but a question of its own.
    if (folder === '') this.#upkeep?.look();
    else for (const path of this.#deps.writer.storedBelow(folder)) this.#addNews(path);
  }

  /**
   * A queue in another container may come up after this program: the first reconcile waits for it. It is no job itself: a
   * killed predecessor's reconcile may still count as active there, and would hold this one up until its lock runs out.
   */
  async #firstReconcile(): Promise<void> {
    while (!this.#stopped && !(await this.#deps.queue.stats()).ok) await sleep(FIRST_SCAN_RETRY_MS);
    if (this.#stopped) return;
    await this.#parts.embedPending.restart();
    // What waits in it has a row that waits too, so the reconcile asks for it again.
    await clearLane(this.#deps.queue, 'extract', this.#deps.logger);
    await this.#parts.build.run({ rebuild: false });
  }

  async #addReconcile(): Promise<void> {
    try {
      await this.#deps.queue.add('reconcile', {});
    } catch (error) {
      logDeferred(this.#deps.logger, error, 'no reconcile now: trying again later');
      this.#catchUp.lookAgain();
    }
  }

  #wipe(): void {
    const { writer, embedding } = this.#deps;
    writer.wipe();
    writer.embeddings.useSpace(embedding.space);
  }

  #onTextReady(): void {
    const { writer, cache } = this.#deps;
    const { builtAt, buildSeconds } = this.#parts.build.state();
    if (builtAt !== null && buildSeconds !== null) {
      writer.rememberBuild({ digest: this.#parts.digest, builtAt, buildSeconds });
    }
    cache.flush();
    // After a burst of writes the log is large; readers are quick, so a truncating checkpoint succeeds now.
    writer.checkpoint();
    void giveBackMemory(this.#deps.logger);
    this.#catchUp.caughtUp();
    void this.#parts.embedPending.kick();
  }

  #onJobError(problem: JobProblem): void {
    const { logger } = this.#deps;
    // A job cut short by the stop is found again by the next start's reconcile.
    if (this.#stopped) {
      logger.debug(jobProblemDetails(problem), 'a job was cut short by the stop');
      return;
    }
    logJobProblem(logger, problem);
    if (isDamaged(problem.error)) this.#rebuild('the index file is damaged');
  }

  #onFileLeft(error: unknown): void {
    if (this.#stopped) return;
    if (!isDamaged(error)) this.#catchUp.behind(error);
    // Damage met beside a rebuild that has begun may be older than that, or new: one look tells.
    else if (this.#rebuilding) this.#catchUp.lookAgain();
    else this.#onFault(error, 'a file could not be stored in the index');
  }

  /** Something failed that no job and no caller waits for. */
  #onFault(error: unknown, what: string): void {
    if (this.#stopped) return;
    this.#deps.logger.error({ err: error }, what);
    if (isDamaged(error)) this.#rebuild('the index file is damaged');
  }

  #rebuild(reason: string): void {
    if (this.#rebuilding || this.#stopped) return;
    this.#rebuilding = true;
    this.#deps.logger.error({ reason }, 'building the index anew');
    this.#pass = this.#parts.build
      .run({ rebuild: true })
      .then(() => this.#parts.embedPending.restart())
      .catch((error: unknown) => {
        this.#deps.logger.error({ err: error }, 'the index could not be built anew');
        this.#catchUp.lookAgain();
      })
      .finally(() => {
        this.#rebuilding = false;
      });
  }
}
