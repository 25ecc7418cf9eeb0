/**
 * Keeps the embed lane busy with whatever the index still waits for, and stores what comes back. Danger: results may
 * come twice, late or never (a lost queue, a dead worker), so what is under way is only remembered for a while and every
 * result is stored by content key; a dead embedder is asked with one small batch at a time until it answers.
 */
import type { PendingEmbedding } from '@vault-mcp/shared/index-db/embedding-store';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { ContentCache } from '../cache/cache.ts';
import { embeddedText } from '../chunk/embedded-text.ts';
import { decodeVector } from './vector-codec.ts';

export interface EmbedPendingDeps {
  readonly writer: IndexWriter;
  readonly cache: ContentCache;
  readonly producer: JobProducer;
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
  /** Everything under way is forgotten (the queue lost it, or may have) and asked for again. */
  restart(): Promise<void>;
  /** Stops timers. */
  stop(): void;
}

/** Jobs in the lane at a time: enough to keep several workers busy, few enough that a fresh edit is soon ahead. */
const MAX_JOBS = 8;
/** After this long a job's contents are asked for again: its worker is taken for dead. */
const LOST_AFTER_MS = 15 * 60_000;

export function createEmbedPending(deps: EmbedPendingDeps): EmbedPending {
  return new PendingEmbedder(deps);
}

class PendingEmbedder implements EmbedPending {
  readonly #deps: EmbedPendingDeps;
  readonly #now: () => number;
  /** Content key → when it was handed to the lane. */
  readonly #underWay = new Map<string, number>();
  #jobs = 0;
  /** While the embedder does not answer: when it is asked again, in milliseconds; otherwise null. */
  #askAgainAt: number | null = null;
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

  async store({ space, vectors }: JobPayload<'store-vectors'>): Promise<void> {
    const { writer, cache } = this.#deps;
    const good = new Map<string, Float32Array>();
    const failed = new Map<string, string>();
    const retry: string[] = [];
    let reason = '';
    for (const item of vectors) {
      this.#underWay.delete(item.key);
      if ('retry' in item) {
        retry.push(item.key);
        reason = item.retry;
      } else if ('error' in item) failed.set(item.key, item.error);
      else this.#sort(item, good, failed);
    }
    this.#jobs = Math.max(0, this.#jobs - 1);
    if (space !== this.#deps.space) return this.kick();
    if (good.size > 0) {
      cache.putVectors(space, good);
      writer.embeddings.storeVectors(good);
    }
    writer.embeddings.fail(failed);
    this.#noteReachability(retry, reason, good.size + failed.size > 0);
    return this.kick();
  }

  restart(): Promise<void> {
    this.#underWay.clear();
    this.#jobs = 0;
    return this.kick();
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

  #noteReachability(retry: readonly string[], reason: string, answered: boolean): void {
    const { embeddings } = this.#deps.writer;
    if (retry.length > 0) {
      this.#askAgainAt = this.#now() + this.#deps.retrySeconds * 1000;
      embeddings.postpone(retry, reason, this.#askAgainAt);
    } else if (answered && this.#askAgainAt !== null) {
      this.#askAgainAt = null;
      embeddings.retryNow();
    }
  }

  async #fill(): Promise<void> {
    this.#forgetLost();
    while (this.#hasRoom() && !this.#stopped) {
      const pending = this.#deps.writer.embeddings.pending(this.#deps.batchSize, this.#now(), this.#keysUnderWay());
      if (pending.length === 0) break;
      const missing = this.#storeCached(pending);
      if (missing.length > 0 && !(await this.#hand(missing))) break;
      // Cached vectors can be thousands: let news in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#wakeLater();
  }

  /** A dead embedder gets one job at a time, and a rest before each. */
  #hasRoom(): boolean {
    if (this.#askAgainAt === null) return this.#jobs < MAX_JOBS;
    return this.#jobs === 0 && this.#now() >= this.#askAgainAt;
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

  /** Hands texts to the lane, cut into jobs by characters. False when the queue cannot be reached. */
  async #hand(pending: readonly PendingEmbedding[]): Promise<boolean> {
    const items = pending.map((entry) => ({ key: entry.textHash, text: embeddedText(entry) }));
    for (const batch of byCharacters(items, this.#deps.batchCharacters)) {
      try {
        await this.#deps.producer.add('embed-chunks', { space: this.#deps.space, items: batch });
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'the queue takes no embed jobs: trying again later');
        return false;
      }
      const now = this.#now();
      for (const { key } of batch) this.#underWay.set(key, now);
      this.#jobs++;
    }
    return true;
  }

  #keysUnderWay(): ReadonlySet<string> {
    return new Set(this.#underWay.keys());
  }

  #forgetLost(): void {
    const before = this.#now() - LOST_AFTER_MS;
    let lost = 0;
    for (const [key, since] of this.#underWay) {
      if (since < before && this.#underWay.delete(key)) lost++;
    }
    if (lost > 0) this.#jobs = Math.ceil(this.#underWay.size / this.#deps.batchSize);
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
