/**
 * The text side's progress: which files a reconcile met still have to be looked at, and whether the index as a whole is
 * building, ready or failed. Danger: `ready` promises that the vault was compared to its end and that every file met is in
 * the index or in quarantine, so a file only counts as settled by a look that began after it was met, and ended well or for
 * good.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDamaged } from '@vault-mcp/shared/index-db/open';
import type { IndexState } from '@vault-mcp/shared/index-db/rows';
import { type Logger, reasonOf } from '@vault-mcp/shared/log';
import { isOutage } from '../sync/outage.ts';
import { createBacklog } from './backlog.ts';
import type { ReconcileReport } from './reconcile.ts';

export interface BuildState {
  readonly state: IndexState;
  readonly error: string | null;
  readonly builtAt: string | null;
  readonly buildSeconds: number | null;
  readonly unreadable: ReconcileReport['unreadable'];
  /** Files a reconcile met that are still to be looked at. */
  readonly waiting: number;
  /** Reconciles completed since the start. */
  readonly passes: number;
  /** Reconciles that still compare the index with the vault. */
  readonly comparing: number;
}

export interface Build {
  state(): BuildState;
  /**
   * One reconcile, with its retries; a rebuild empties the index first. Resolves when everything has been compared: the
   * files it met are looked at meanwhile and afterwards. Never throws: a failure is a state.
   */
  run(options: { rebuild: boolean }): Promise<void>;
  /** Resolves when every file met so far has been looked at once. */
  idle(): Promise<void>;
  /** Runs a path's job; the path counts as settled when it ends well, or when it fails for the last time. */
  settle<T>(path: string, lastAttempt: boolean, work: () => Promise<T>): Promise<T>;
  /**
   * Files that counted as settled could not be stored after all; `failed`, with the reason, until the next reconcile. For
   * a fault that the others would meet too they are left to that one as well.
   */
  lost(error: unknown): void;
  /** Ends a running reconcile early, lets none begin, and no further file be looked at. */
  stop(): void;
}

/** Whether every file that was met since the start has been looked at: before that, rows that are missing say nothing. */
export function isWhole(build: Pick<Build, 'state'>): boolean {
  const { state, passes, waiting } = build.state();
  return state === 'ready' && passes > 0 && waiting === 0;
}

export interface BuildDeps {
  /** Empties the index. */
  readonly wipe: () => void;
  /** Compares; `met` is told each path that has to be looked at. Rejects when `signal` is aborted. */
  readonly reconcile: (met: (path: string) => void, signal: AbortSignal) => Promise<ReconcileReport>;
  /** Looks at one of them; false when a job will do so again. Rejects for what would befall the others just the same. */
  readonly lookAt: (path: string) => Promise<boolean>;
  /**
   * That was rejected, so only another reconcile can bring in what is missing. Told once a reconcile, however many files
   * that is; of a damaged index each time. Must not throw.
   */
  readonly onLeft: (error: unknown) => void;
  readonly onChange: () => void;
  /** Called when the last file a reconcile met has settled. */
  readonly onReady: () => void;
  readonly logger: Logger;
  /** `index.build_max_attempts`, `index.build_retry_seconds`. */
  readonly maxAttempts: number;
  readonly retrySeconds: number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
}

/** One file is read while another is described. */
const PLACES = 2;

export function createBuild(deps: BuildDeps, alreadyBuilt: { builtAt: string; buildSeconds: number } | null): Build {
  return new TextBuild(deps, alreadyBuilt);
}

class TextBuild implements Build {
  readonly #deps: BuildDeps;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  readonly #backlog = createBacklog(PLACES, (path) => this.#lookAt(path));
  /** Files to be looked at, each with the number of its last meeting. */
  #waiting = new Map<string, number>();
  #meetings = 0;
  #lost = false;
  /** What waits was dropped, and what else is met until the next reconcile begins is not looked at either. */
  #left = false;
  #comparing = 0;
  /** Whether the comparison that ended last came to its end, over the rows that are there now. */
  #compared = false;
  #wipes = 0;
  #passes = 0;
  #startedAt: number;
  #state: IndexState;
  #error: string | null = null;
  #built: { builtAt: string; buildSeconds: number } | null;
  #unreadable: ReconcileReport['unreadable'] = [];

  constructor(deps: BuildDeps, alreadyBuilt: { builtAt: string; buildSeconds: number } | null) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#built = alreadyBuilt;
    this.#state = alreadyBuilt ? 'ready' : 'building';
    this.#startedAt = this.#now();
  }

  state(): BuildState {
    return {
      state: this.#state,
      error: this.#error,
      builtAt: this.#built?.builtAt ?? null,
      buildSeconds: this.#built?.buildSeconds ?? null,
      unreadable: this.#unreadable,
      waiting: this.#waiting.size,
      passes: this.#passes,
      comparing: this.#comparing,
    };
  }

  async run({ rebuild }: { rebuild: boolean }): Promise<void> {
    const { signal } = this.#stop;
    let repaired = rebuild;
    if (rebuild) this.#startAfresh();
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        return await this.#compare(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#deps.logger.error({ err: error, attempt }, 'the index could not be reconciled with the vault');
        if (isDamaged(error) && !repaired) {
          repaired = true;
          this.#startAfresh();
        } else if (attempt >= this.#deps.maxAttempts)
          return this.#fail(`The vault could not be read: ${reasonOf(error)}`);
        else await (this.#deps.sleep ?? wait)(this.#deps.retrySeconds * 1000, signal);
      }
    }
  }

  lost(error: unknown): void {
    this.#lost = true;
    if (isOutage(error)) this.#leaveTheRest();
    this.#fail(`The index could not be written: ${reasonOf(error)}`);
  }

  idle(): Promise<void> {
    return this.#backlog.idle();
  }

  stop(): void {
    this.#stop.abort();
    this.#backlog.stop();
  }

  async settle<T>(path: string, lastAttempt: boolean, work: () => Promise<T>): Promise<T> {
    const meeting = this.#waiting.get(path);
    let result: T;
    try {
      result = await work();
    } catch (error) {
      if (lastAttempt) this.#settled(path, meeting);
      throw error;
    }
    this.#settled(path, meeting);
    return result;
  }

  #startAfresh(): void {
    // Met again, all of it, once there are no rows.
    this.#backlog.drop();
    this.#deps.wipe();
    this.#wipes++;
    this.#compared = false;
    this.#waiting.clear();
    this.#built = null;
    this.#state = 'building';
    this.#startedAt = this.#now();
    this.#deps.onChange();
  }

  async #compare(signal: AbortSignal): Promise<void> {
    // What an earlier reconcile waits for and this one does not meet again is as it should be, or gone with its job.
    if (this.#comparing === 0) this.#waiting = new Map();
    this.#lost = false;
    this.#left = false;
    this.#compared = false;
    const wipes = this.#wipes;
    this.#comparing++;
    try {
      const { unreadable, seen, differing } = await this.#deps.reconcile((path) => this.#meet(path), signal);
      // Compared with rows that are gone, it met none of their files.
      if (wipes === this.#wipes) this.#compared = true;
      this.#unreadable = unreadable;
      this.#passes++;
      this.#deps.logger.info({ seen, differing }, 'compared the index with the vault');
      this.#deps.onChange();
    } catch (error) {
      this.#compared = false;
      throw error;
    } finally {
      this.#comparing--;
    }
    this.#readyIfDone();
  }

  #meet(path: string): void {
    this.#waiting.set(path, ++this.#meetings);
    if (!this.#left) this.#backlog.add(path);
  }

  async #lookAt(path: string): Promise<void> {
    const meeting = this.#waiting.get(path);
    try {
      if (await this.#deps.lookAt(path)) this.#settled(path, meeting);
    } catch (error) {
      this.#leave(error);
    }
  }

  #leave(error: unknown): void {
    // Of damage an index made anew is the end, and the reconcile that fills it may have begun already.
    if (!isDamaged(error)) {
      if (this.#left) return;
      this.#leaveTheRest();
    }
    this.#deps.onLeft(error);
  }

  #leaveTheRest(): void {
    this.#left = true;
    this.#backlog.drop();
  }

  /** @param meeting that of the path when the look at it began: met again since, it waits for another one */
  #settled(path: string, meeting: number | undefined): void {
    if (meeting === undefined || this.#waiting.get(path) !== meeting) return;
    this.#waiting.delete(path);
    this.#readyIfDone();
  }

  #readyIfDone(): void {
    if (this.#comparing > 0 || !this.#compared || this.#waiting.size > 0 || this.#lost) return;
    const first = this.#state !== 'ready';
    this.#state = 'ready';
    this.#error = null;
    if (first) {
      const buildSeconds = Math.round(this.#now() - this.#startedAt) / 1000;
      this.#built = { builtAt: new Date(this.#now()).toISOString(), buildSeconds };
    }
    this.#deps.onChange();
    this.#deps.onReady();
  }

  #fail(reason: string): void {
    this.#state = 'failed';
    this.#error = reason;
    this.#deps.onChange();
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    // Stopped: the loop sees it.
  });
}
