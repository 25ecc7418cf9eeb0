/**
 * Keeps the embed lane busy with whatever the index still waits for, and stores what comes back. Danger: results may
 * come twice, late or never (a lost queue, a dead worker), so what is under way is only remembered for a while and every
 * result is stored by content key; a dead embedder is asked with one small batch at a time until it answers.
 */

import { embeddedText } from '@vault-mcp/shared/chunk/embedded-text';
import type { PendingEmbedding } from '@vault-mcp/shared/index-db/embedding-store';
import type { EmbeddingFigures } from '@vault-mcp/shared/index-db/rows';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { Logger } from '@vault-mcp/shared/log';
import { clearLane } from '@vault-mcp/shared/queue/clear-lane';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';
import type { ContentCache } from '../cache/cache.ts';
import { createEmbeddingCounter } from './embedding-figures.ts';
import { createLaneLedger } from './lane-ledger.ts';
import { decodeVector } from './vector-codec.ts';

export interface EmbedPendingDeps {
  readonly writer: IndexWriter;
  readonly cache: ContentCache;
  readonly producer: Pick<JobQueue, 'add' | 'stats' | 'clear'>;
  readonly logger: Logger;
  readonly space: string;
  readonly dims: number;
  /** Texts a job. */
  readonly batchSize: number;
  /** Characters a job, whatever the number of texts. */
  readonly batchCharacters: number;
  /** Wait before a dead embedder is asked again. */
  readonly retrySeconds: number;
  /** Told of what went wrong outside of any job: the index damaged, the disk full. Must not throw. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
}

export interface EmbedPending {
  /**
   * Something may be waiting: cached vectors are stored, the rest goes to the lane, as far as there is room. Never
   * rejects: it is called on the side.
   */
  kick(): Promise<void>;
  /** A job's results. */
  store(result: JobPayload<'store-vectors'>): Promise<void>;
  /** Everything under way is forgotten (the queue lost it, or may have), taken out of the lane and asked for again. */
  restart(): Promise<void>;
  /** Whether contents wait for a vector. */
  isWaiting(): boolean;
  /** Why the lane's last answer brought no vectors, or a worker does not fit; null when all is well. */
  problem(): string | null;
  /** What embedding has come to, by what was stored. */
  figures(): EmbeddingFigures;
  /** Stops timers. */
  stop(): void;
}

/** Jobs that every process with the embed role works on at a time: its embedder is another program, or a thread. */
export const EMBED_CONCURRENCY = 2;
/**
 * Jobs in the lane at a time, at least and for each place where one is worked on: enough that no worker waits for the
 * writer, few enough that a fresh edit is soon ahead.
 */
const MIN_JOBS = 8;
const JOBS_A_PLACE = 3;
/** How often the queue is asked how many consumers it has and whether it is empty. */
const LANE_KNOWN_MS = 3000;
/** What a worker could not take because it embeds in another space is offered again after this. */
const MISFIT_RETRY_MS = 2000;
/** How long a worker that does not fit is reported; it looks at the lane again sooner. */
const MISFIT_SHOWN_MS = 60_000;
/** After this long a job's contents are asked for again: its worker is taken for dead. */
const LOST_AFTER_MS = 15 * 60_000;

export function createEmbedPending(deps: EmbedPendingDeps): EmbedPending {
  return new PendingEmbedder(deps);
}

class PendingEmbedder implements EmbedPending {
  readonly #deps: EmbedPendingDeps;
  readonly #now: () => number;
  readonly #underWay = createLaneLedger();
  readonly #counter = createEmbeddingCounter();
  /** Jobs the lane holds at a time. */
  #window = MIN_JOBS;
  #laneKnownAt = Number.NEGATIVE_INFINITY;
  #failure: string | null = null;
  #misfit: { readonly reason: string; readonly until: number } | null = null;
  /** While the embedder does not answer: when it is asked again, in milliseconds; otherwise null. */
  #askAgainAt: number | null = null;
  /** The lane is to be begun with anew. */
  #afresh = false;
  #running: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(deps: EmbedPendingDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
  }

  kick(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#fill()
      .catch(this.#deps.onError)
      .finally(() => {
        this.#running = null;
        if (this.#again && !this.#stopped) {
          this.#again = false;
          void this.kick();
        }
      });
    return this.#running;
  }

  async store(result: JobPayload<'store-vectors'>): Promise<void> {
    const { space, vectors, misfit, seconds } = result;
    const { writer, cache } = this.#deps;
    const good = new Map<string, Float32Array>();
    const failed = new Map<string, string>();
    const retry: string[] = [];
    let reason = '';
    for (const item of vectors) {
      this.#underWay.returned(item.key);
      if ('retry' in item) {
        retry.push(item.key);
        reason = item.retry;
      } else if ('error' in item) failed.set(item.key, item.error);
      else this.#sort(item, good, failed);
    }
    if (space !== this.#deps.space) return this.kick();
    if (good.size > 0) {
      cache.putVectors(space, good);
      writer.embeddings.storeVectors(good);
    }
    writer.embeddings.fail(failed);
    if (misfit) this.#noteMisfit(retry, reason);
    else this.#noteReachability(retry, reason, good.size + failed.size > 0);
    // Last: a job whose results could not be stored comes again.
    this.#counter.count({ seconds, texts: good.size, answered: retry.length === 0 });
    return this.kick();
  }

  restart(): Promise<void> {
    this.#afresh = true;
    return this.kick();
  }

  isWaiting(): boolean {
    return this.#deps.writer.embeddings.nextTryMs() !== null;
  }

  problem(): string | null {
    if (this.#misfit && this.#misfit.until <= this.#now()) this.#misfit = null;
    return this.#failure ?? this.#misfit?.reason ?? null;
  }

  figures(): EmbeddingFigures {
    return this.#counter.figures();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #sort(item: { key: string; vector: string }, good: Map<string, Float32Array>, failed: Map<string, string>): void {
    const decoded = decodeVector(item.vector, this.#deps.dims);
    if (typeof decoded === 'string') failed.set(item.key, decoded);
    else good.set(item.key, decoded);
  }

  /** The others go on in full: it is this worker's fault and nobody else's. */
  #noteMisfit(keys: readonly string[], reason: string): void {
    const now = this.#now();
    this.#misfit = { reason, until: now + MISFIT_SHOWN_MS };
    // Not at once: the refused job still counts as being worked on, and would swallow one with the same contents.
    this.#deps.writer.embeddings.postpone(keys, reason, now + MISFIT_RETRY_MS);
  }

  #noteReachability(retry: readonly string[], reason: string, answered: boolean): void {
    const { embeddings } = this.#deps.writer;
    if (retry.length > 0) {
      this.#failure = reason;
      this.#askAgainAt = this.#now() + this.#deps.retrySeconds * 1000;
      embeddings.postpone(retry, reason, this.#askAgainAt);
    } else if (answered && this.#askAgainAt !== null) {
      this.#failure = null;
      this.#askAgainAt = null;
      embeddings.retryNow();
    }
  }

  async #fill(): Promise<void> {
    if (this.#afresh) await this.#startAfresh();
    this.#underWay.forgetBefore(this.#now() - LOST_AFTER_MS);
    await this.#lookAtLane();
    while (this.#hasRoom() && !this.#stopped) {
      const pending = this.#deps.writer.embeddings.pending(this.#deps.batchSize, this.#now(), this.#underWay.keys);
      if (pending.length === 0) break;
      const missing = this.#storeCached(pending);
      if (missing.length > 0 && !(await this.#hand(missing))) break;
      // Cached vectors can be thousands: let news in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#wakeLater();
  }

  /** Never while jobs are handed over: one that was just added would be dropped and still count as under way. */
  async #startAfresh(): Promise<void> {
    this.#afresh = false;
    this.#underWay.clear();
    // What an earlier run left there is asked for again in other batches, and may be of another space.
    await clearLane(this.#deps.producer, 'embed', this.#deps.logger);
  }

  /** More workers get more to choose from, and an empty queue has lost what was handed to it. */
  async #lookAtLane(): Promise<void> {
    const now = this.#now();
    if (now - this.#laneKnownAt < LANE_KNOWN_MS) return;
    this.#laneKnownAt = now;
    const { ok, depth, consumers } = await this.#deps.producer.stats();
    // Nothing waits and nothing is worked on anywhere, so what should be under way got lost.
    if (ok && depth === 0) this.#underWay.clear();
    this.#window = Math.max(MIN_JOBS, (consumers?.embed ?? 0) * EMBED_CONCURRENCY * JOBS_A_PLACE);
  }

  /** A dead embedder gets one job at a time, and a rest before each. */
  #hasRoom(): boolean {
    if (this.#askAgainAt === null) return this.#underWay.jobs < this.#window;
    return this.#underWay.jobs === 0 && this.#now() >= this.#askAgainAt;
  }

  #storeCached(pending: readonly PendingEmbedding[]): PendingEmbedding[] {
    const { cache, writer, space } = this.#deps;
    const cached = cache.vectors(
      space,
      pending.map(({ textHash }) => textHash),
    );
    for (const [key, vector] of cached) if (vector.length !== this.#deps.dims) cached.delete(key);
    if (cached.size > 0) writer.embeddings.storeVectors(cached);
    return pending.filter(({ textHash }) => !cached.has(textHash));
  }

  /** Hands texts to the lane, cut into jobs by characters. False when the queue does not take one. */
  async #hand(pending: readonly PendingEmbedding[]): Promise<boolean> {
    const items = pending.map((entry) => ({ key: entry.textHash, text: embeddedText(entry) }));
    for (const batch of byCharacters(items, this.#deps.batchCharacters)) {
      try {
        await this.#deps.producer.add('embed-chunks', { space: this.#deps.space, items: batch });
      } catch (error) {
        logDeferred(this.#deps.logger, error, 'texts could not be handed to the embed lane: trying again later');
        return false;
      }
      const keys = batch.map(({ key }) => key);
      this.#underWay.handed(keys, this.#now());
    }
    return true;
  }

  /** Wakes for postponed contents and for jobs that never came back. */
  #wakeLater(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#stopped) return;
    const next = this.#deps.writer.embeddings.nextTryMs();
    if (next === null) return;
    const due = Math.max(next, this.#askAgainAt ?? 0);
    // Never sooner than in a second, whatever the setting: a dead embedder would be asked in a loop.
    const wait = Math.max(Math.min(due - this.#now(), this.#deps.retrySeconds * 1000), 1000);
    this.#timer = setTimeout(() => void this.kick(), wait);
    this.#timer.unref();
  }
}

function* byCharacters<T extends { text: string }>(items: readonly T[], limit: number): Generator<T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    if (batch.length > 0 && characters + item.text.length > limit) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += item.text.length;
  }
  if (batch.length > 0) yield batch;
}
