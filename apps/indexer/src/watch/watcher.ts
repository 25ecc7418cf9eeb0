/**
 * Turns file system events into debounced news about vault paths. Danger: events are hints only. They get lost, come
 * twice and in any order; the job they cause reads the file as it is, and the next reconcile finds what was missed.
 */
import { relative, sep } from 'node:path';
import type { Logger } from '@vault-mcp/shared/log';
import { isDotted } from '@vault-mcp/shared/vault/path';
import { type FSWatcher, watch } from 'chokidar';
import { createNewsDebounce } from './news.ts';
import { decidePolling } from './polling.ts';

export interface WatcherState {
  readonly ok: boolean;
  readonly mode: 'events' | 'polling' | 'off';
  /** ISO time of the last event of any kind. */
  readonly lastEvent: string | null;
  readonly error: string | null;
}

/** While there is no watcher: not yet, or none is wanted. */
export function unwatched(isWanted: boolean): WatcherState {
  return { ok: !isWanted, mode: 'off', lastEvent: null, error: isWanted ? 'The watcher is starting.' : null };
}

export interface VaultWatcher {
  state(): WatcherState;
  close(): Promise<void>;
}

export interface WatcherOptions {
  /** Absolute, resolved root of the vault. */
  readonly root: string;
  readonly debounceSeconds: number;
  readonly polling: 'auto' | boolean;
  readonly logger: Logger;
  /** A file at this vault path was made, changed or removed, or a folder made or removed. */
  readonly onPath: (path: string) => void;
  /** A folder at this vault path (`''`: the vault itself) is gone: what was indexed below it has to be looked at. */
  readonly onFolderGone: (path: string) => void;
  /** It began or ceased to work. */
  readonly onState: () => void;
}

/** How often a polled vault is looked at, in milliseconds. */
const POLL_INTERVAL_MS = 2000;
/** Linux: too many watches, too many open files. */
const WATCH_LIMIT_CODES = new Set(['ENOSPC', 'EMFILE']);

/**
 * Starts watching; resolves at once, `state().ok` becomes true when every folder is watched. When the system gives no
 * more watches, it falls back to polling and says so.
 */
export async function watchVault(options: WatcherOptions): Promise<VaultWatcher> {
  const watcher = new ChokidarVaultWatcher(options);
  const { polling, reason } = await decidePolling(options.root, options.polling);
  options.logger.info({ polling, reason }, 'watching the vault');
  watcher.start(polling);
  return watcher;
}

class ChokidarVaultWatcher implements VaultWatcher {
  readonly #options: WatcherOptions;
  readonly #debounce;
  #watcher: FSWatcher | null = null;
  #state: WatcherState = { ok: false, mode: 'off', lastEvent: null, error: 'The watcher is starting.' };

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#debounce = createNewsDebounce({ quietMs: options.debounceSeconds * 1000, emit: options.onPath });
  }

  state(): WatcherState {
    return this.#state;
  }

  async close(): Promise<void> {
    this.#debounce.stop();
    await this.#watcher?.close();
    this.#watcher = null;
    this.#state = { ...this.#state, ok: false, mode: 'off', error: 'The watcher has stopped.' };
  }

  start(polling: boolean): void {
    const { root } = this.#options;
    this.#state = { ...this.#state, mode: polling ? 'polling' : 'events' };
    const watcher = watch(root, {
      // The default (true) walks out of the vault through a link.
      followSymlinks: false,
      ignoreInitial: true,
      // Joins the unlink and add of an editor's save-by-rename into one change.
      atomic: true,
      usePolling: polling,
      interval: POLL_INTERVAL_MS,
      ignorePermissionErrors: true,
      ignored: (path) => path !== root && isDotted(this.#vaultPath(path)),
    });
    this.#watcher = watcher;
    for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path) => this.#onEntry(path));
    // The index page names folders of which no file is looked at.
    watcher.on('addDir', (path) => this.#onEntry(path));
    watcher.on('unlinkDir', (path) => this.#onFolderGone(path));
    watcher.on('ready', () => {
      if (this.#watcher === watcher) this.#become({ ok: true, error: null });
    });
    watcher.on('error', (error) => this.#onError(watcher, error));
  }

  #onEntry(absolute: string): void {
    this.#heard();
    const path = this.#vaultPath(absolute);
    if (path !== '') this.#debounce.note(path);
  }

  #onFolderGone(absolute: string): void {
    this.#onEntry(absolute);
    this.#options.onFolderGone(this.#vaultPath(absolute));
  }

  #onError(watcher: FSWatcher, error: unknown): void {
    if (this.#watcher !== watcher) return;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const { logger } = this.#options;
    if (WATCH_LIMIT_CODES.has(code) && this.#state.mode === 'events') {
      logger.warn(
        { err: error },
        'no more file watches to be had: polling instead (raise fs.inotify.max_user_watches)',
      );
      this.#watcher = null;
      void watcher.close().finally(() => this.start(true));
      return;
    }
    logger.error({ err: error }, 'the watcher failed');
    this.#become({
      ok: false,
      error: `The watcher failed (${code || 'unknown'}); changes are found by the next reconcile only. Restart to watch again.`,
    });
  }

  #become(change: { ok: boolean; error: string | null }): void {
    this.#state = { ...this.#state, ...change };
    this.#options.onState();
  }

  #heard(): void {
    this.#state = { ...this.#state, lastEvent: new Date().toISOString() };
  }

  #vaultPath(absolute: string): string {
    return relative(this.#options.root, absolute).split(sep).join('/');
  }
}
