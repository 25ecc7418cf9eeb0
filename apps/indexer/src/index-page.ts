/**
 * The index page's part in the indexer: when it is looked at, by which job, and what is reported of it. Danger: rows that
 * are not whole would take notes off the page, so nothing is published before every file has been compared.
 */
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import { createOutageLog, type Logger } from '@vault-mcp/shared/log';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { type CatalogPublisher, createCatalogPublisher } from './catalog/publish.ts';
import { type CatalogState, disabledState, pendingState } from './catalog/state.ts';
import type { IndexerSettings } from './settings.ts';
import type { SyncOutcome } from './sync/sync-file.ts';
import { type Build, isWhole } from './watch/build.ts';
import { createPageNews, type PageNews } from './watch/page-news.ts';

export interface IndexPage extends Pick<CatalogPublisher, 'isSettled' | 'forget'> {
  state(): CatalogState;
  /** Notes or the page itself may have changed. */
  ask(): void;
  /** A path has been looked at, with this outcome. */
  synced(outcome: SyncOutcome): void;
  /** Brings it up to date; what the job does. @throws what reading the index throws */
  publish(): Promise<void>;
  stop(): void;
}

export interface IndexPageDeps {
  readonly settings: Pick<IndexerSettings, 'catalog' | 'rules' | 'limits'>;
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly writer: Pick<IndexWriter, 'generation' | 'storedNotes'>;
  readonly queue: Pick<JobProducer, 'add'>;
  /** Null only where the settings have no page kept. */
  readonly locks: PathLocks | null;
  readonly logger: Logger;
}

export interface IndexPageHooks {
  readonly build: () => Pick<Build, 'state'>;
  /** It has become another state. */
  readonly onChange: () => void;
}

/** After which the page is what it was. A path without a row may be the page itself, or a folder that is left out. */
const LEAVES_PAGE: ReadonlySet<SyncOutcome> = new Set(['unchanged', 'waiting', 'vault_gone']);

const WORDS = {
  away: 'index.md is not what it should be: trying again later',
  back: 'index.md is as it should be again',
};

export function createIndexPage(deps: IndexPageDeps, hooks: IndexPageHooks): IndexPage {
  const { settings, locks } = deps;
  if (settings.catalog.offBecause !== null) return switchedOff(settings.catalog.offBecause);
  if (locks === null) throw new Error('the index page cannot be written without locks');
  const { vault, presence, writer } = deps;
  const publisher = createCatalogPublisher({
    ...{ vault, presence, locks, index: writer, now: () => new Date() },
    excludeDirs: settings.rules.excludeDirs,
    noteMaxBytes: settings.limits.noteMaxBytes,
    timestampKey: settings.catalog.timestampKey,
  });
  return new PublishedPage(deps, hooks, publisher);
}

function switchedOff(because: string): IndexPage {
  const state = disabledState(because);
  return {
    state: () => state,
    ask: () => {},
    synced: () => {},
    // Asked for by a process before this one.
    publish: async () => {},
    isSettled: () => false,
    forget: () => {},
    stop: () => {},
  };
}

class PublishedPage implements IndexPage {
  readonly #hooks: IndexPageHooks;
  readonly #publisher: CatalogPublisher;
  readonly #news: PageNews;
  readonly #logger: Logger;
  readonly #outage;
  #state: CatalogState;
  #stopped = false;

  constructor({ queue, logger }: IndexPageDeps, hooks: IndexPageHooks, publisher: CatalogPublisher) {
    this.#hooks = hooks;
    this.#publisher = publisher;
    this.#logger = logger;
    this.#outage = createOutageLog(logger, WORDS);
    this.#news = createPageNews(() => {
      queue.add('publish-catalog', {}).catch((error: unknown) => {
        logDeferred(logger, error, 'index.md waits for the next reconcile');
      });
    });
    this.#state = pendingState(hooks.build().state().state === 'ready');
  }

  state(): CatalogState {
    return this.#state;
  }

  ask(): void {
    // The end of the reconcile asks again.
    if (isWhole(this.#hooks.build())) this.#news.ask();
  }

  synced(outcome: SyncOutcome): void {
    if (!LEAVES_PAGE.has(outcome)) this.ask();
  }

  async publish(): Promise<void> {
    if (this.#stopped || !isWhole(this.#hooks.build())) return;
    const startedAt = performance.now();
    const state = await this.#publisher.publish();
    if (state === null || this.#stopped) return;
    // That nobody may write there is well, but nothing tells when that is over.
    this.#news.looked(state.ok && !state.forbidden, performance.now() - startedAt);
    this.#become(state);
  }

  isSettled(...file: Parameters<CatalogPublisher['isSettled']>): boolean {
    return this.#publisher.isSettled(...file);
  }

  forget(): void {
    this.#publisher.forget();
  }

  stop(): void {
    this.#stopped = true;
    this.#news.stop();
  }

  #become(state: CatalogState): void {
    const before = this.#state;
    this.#state = state;
    if (state.error !== null) this.#outage.away(state.error);
    else this.#outage.back();
    if (JSON.stringify(before) === JSON.stringify(state)) return;
    if (state.detail !== null && before.detail !== state.detail) this.#logger.info(state.detail);
    this.#hooks.onChange();
  }
}
