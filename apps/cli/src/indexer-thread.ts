/**
 * The indexer on its worker thread, as the embedded program sees it: a place to hand jobs to that outlives the thread.
 * Danger: a crash in there (a file that breaks a parser, memory) must not take reading down, so the thread is started
 * again, later each time; meanwhile jobs are refused at once, as from any queue that cannot be reached.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { FromIndexerThread, IndexerThreadData, ToIndexerThread } from '@vault-mcp/indexer/thread-protocol';
import type { Config } from '@vault-mcp/shared/config/schema';
import { acquireWriterLock, WriterLockedError } from '@vault-mcp/shared/index-db/writer-lock';
import type { Logger } from '@vault-mcp/shared/log';
import { createPortProducer } from '@vault-mcp/shared/queue/port';
import { IndexedElsewhereError, type JobProducer, QueueAwayError } from '@vault-mcp/shared/queue/producer';
import { CliError, EXIT } from './exit-codes.ts';

export interface IndexerThreadOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Opens another way to the built-in model; null when the thread makes its own embedder. */
  readonly openModelPort: (() => MessagePort) | null;
  /** When another process writes this index: `refuse` to start, or `wait` until it ends (reading goes on). */
  readonly whenLocked: 'refuse' | 'wait';
  /** The thread's compiled entry; tests name their own. */
  readonly entry?: URL;
  /** Wait before the first new start after a crash; it doubles with each further one. */
  readonly firstRestartMs?: number;
  /** Wait before the lock of another process is tried again. */
  readonly lockRetryMs?: number;
}

export interface IndexerThread {
  readonly producer: JobProducer;
  /** Finishes the job in hand, at most `timeoutMs`. Idempotent. */
  stop(options: { timeoutMs: number }): Promise<void>;
}

const FIRST_RESTART_MS = 1_000;
const LAST_RESTART_MS = 60_000;
/** For what the thread soon lets go: 80 MiB less while 6 279 notes are indexed than by itself, for a few percent more time. */
const YOUNG_MB = 24;
/** A thread that lived this long was well: the next crash starts counting anew. */
const HEALTHY_MS = 60_000;
const LOCK_RETRY_MS = 5_000;
/** A process that waits for the lock takes it for a moment to see whether it is free; a refusal outlasts that. */
const LOCK_GLANCE_MS = 300;
const AWAY = 'The indexer is not running just now; it looks at everything when it is back.';

/**
 * Starts the thread and waits until it runs (with `wait` and a held lock: returns at once).
 * @throws CliError when it refuses to start: index in use, vault unreadable, embedder misconfigured
 */
export async function startIndexerThread(options: IndexerThreadOptions): Promise<IndexerThread> {
  const keeper = new ThreadKeeper(options);
  await keeper.start();
  return keeper;
}

class ThreadKeeper implements IndexerThread {
  readonly producer: JobProducer;
  readonly #options: IndexerThreadOptions;
  #run: ThreadRun | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Whether another process holds the writer's lock, as far as is known. */
  #isElsewhere = false;
  #restartMs: number;
  #stopping: Promise<void> | null = null;

  constructor(options: IndexerThreadOptions) {
    this.#options = options;
    this.#restartMs = this.#firstRestartMs();
    this.producer = {
      add: (name, payload) => this.#run?.producer.add(name, payload) ?? Promise.reject(this.#refusal()),
      stats: async () => this.#run?.producer.stats() ?? { ok: false, depth: 0, failed: 0, error: AWAY },
      close: async () => this.#run?.producer.close(),
    };
  }

  async start(): Promise<void> {
    const { config, whenLocked } = this.#options;
    if (whenLocked === 'wait' && isLocked(config.data.path)) return this.#waitForLock();
    let run: ThreadRun;
    try {
      run = await this.#startRun();
    } catch (error) {
      if (!(error instanceof LockedElsewhere)) throw error;
      if (this.#stopping !== null) return;
      // Another process took the lock between the look and the thread's own try.
      if (whenLocked === 'wait') return this.#waitForLock();
      await sleep(LOCK_GLANCE_MS);
      if (this.#stopping !== null) return;
      run = await this.#startRun();
    }
    this.#isElsewhere = false;
    const since = Date.now();
    void run.ended.then((code) => {
      this.#run = null;
      if (this.#stopping !== null) return;
      if (Date.now() - since > HEALTHY_MS) this.#restartMs = this.#firstRestartMs();
      this.#options.log.error(
        { code, again_in_ms: this.#restartMs },
        'the indexer stopped unexpectedly; starting it again',
      );
      this.#later(this.#restartMs);
      this.#restartMs = Math.min(this.#restartMs * 2, LAST_RESTART_MS);
    });
  }

  /** Known before it runs, so that a stop meanwhile reaches it. */
  async #startRun(): Promise<ThreadRun> {
    const run = new ThreadRun(this.#options);
    this.#run = run;
    try {
      await run.started;
      return run;
    } catch (error) {
      this.#run = null;
      throw error;
    }
  }

  #refusal(): Error {
    return this.#isElsewhere ? new IndexedElsewhereError() : new QueueAwayError(AWAY);
  }

  #waitForLock(): void {
    this.#isElsewhere = true;
    this.#options.log.info('another process keeps the index up to date; this one only reads it');
    this.#later(this.#options.lockRetryMs ?? LOCK_RETRY_MS);
  }

  stop({ timeoutMs }: { timeoutMs: number }): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stopping ??= this.#run?.stop(timeoutMs) ?? Promise.resolve();
    return this.#stopping;
  }

  #firstRestartMs(): number {
    return this.#options.firstRestartMs ?? FIRST_RESTART_MS;
  }

  #later(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.start().catch((error: unknown) => {
        if (this.#stopping !== null) return;
        this.#options.log.error({ err: error }, 'the indexer could not start');
        this.#later(LAST_RESTART_MS);
      });
    }, delayMs);
    this.#timer.unref();
  }
}

/** The thread refused to start because another process writes this index. */
class LockedElsewhere extends CliError {
  constructor(message: string) {
    super(EXIT.failed, message);
  }
}

/** One life of the thread. */
class ThreadRun {
  readonly producer: JobProducer;
  /** Settles once it runs, or refuses. */
  readonly started: Promise<void>;
  /** The exit code, once the thread is gone. */
  readonly ended: Promise<number>;
  readonly #worker: Worker;

  constructor({ config, log, openModelPort, entry = threadEntry() }: IndexerThreadOptions) {
    const jobs = new MessageChannel();
    const modelPort = openModelPort?.() ?? null;
    this.#worker = new Worker(entry, {
      name: 'indexer',
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      workerData: { config, jobPort: jobs.port2, modelPort, watch: true } satisfies IndexerThreadData,
      transferList: modelPort === null ? [jobs.port2] : [jobs.port2, modelPort],
    });
    this.producer = createPortProducer(jobs.port1);
    // Without a listener an uncaught error in there would end this process.
    this.#worker.on('error', (error) => log.error({ err: error }, 'the indexer thread failed'));
    this.ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.started = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromIndexerThread) => {
        if (message.type === 'started') resolve();
        if (message.type === 'refused')
          reject(message.locked ? new LockedElsewhere(message.message) : new CliError(EXIT.failed, message.message));
      });
      this.#worker.once('exit', (code) =>
        reject(new CliError(EXIT.failed, `The indexer ended while starting (${code}).`)),
      );
    });
    void this.ended.then(() => this.producer.close());
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#worker.postMessage({ type: 'stop', timeoutMs } satisfies ToIndexerThread);
    // A little longer than the thread itself takes for its jobs; then it is ended, which loses no file.
    const cut = setTimeout(() => void this.#worker.terminate(), timeoutMs + 500);
    await this.ended;
    clearTimeout(cut);
  }
}

/** Node 20 runs no TypeScript, so threads always start from compiled files. */
function threadEntry(): URL {
  return new URL(import.meta.resolve('@vault-mcp/indexer/worker-thread'));
}

/** Whether another process writes this index now. */
function isLocked(dataPath: string): boolean {
  try {
    acquireWriterLock(dataPath).release();
    return false;
  } catch (error) {
    if (error instanceof WriterLockedError) return true;
    throw error;
  }
}
