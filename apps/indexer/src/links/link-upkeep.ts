/**
 * Keeps links leading where they led when files are renamed outside of this program, or a second note takes a name: looked
 * at once the vault is quiet, as far as the settings allow it. Danger: it writes into people's notes unasked, so only what
 * is certain is written, each file under its lock and only as it was indexed; whatever else is logged, for doctor to name.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@vault-mcp/shared/errors';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import { mendFile, proposeMending } from '@vault-mcp/shared/link-repair/mend-file';
import type { RepairKind } from '@vault-mcp/shared/link-repair/repair-judge';
import { type ConcernedFile, surveyRepairs } from '@vault-mcp/shared/link-repair/survey';
import type { Logger } from '@vault-mcp/shared/log';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { MendReport } from './mend-report.ts';

export interface LinkUpkeep {
  /** Files came, changed or went; the vault may be quiet in a while. */
  ask(): void;
  /**
   * Resolves when what was asked until now was looked at. A program that ends before it leaves what happened open, and links
   * cannot be mended after what happens next.
   */
  idle(): Promise<void>;
  /** Ends what is being looked at after the file in hand. */
  stop(): Promise<void>;
}

export interface LinkUpkeepDeps {
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly writer: Pick<IndexWriter, 'passes'>;
  readonly queue: Pick<JobProducer, 'add' | 'stats'>;
  /** Null where no kind is mended. */
  readonly locks: PathLocks | null;
  readonly settings: LinkUpkeepSettings;
  readonly rules: { readonly excludeDirs: readonly string[]; readonly ignore: readonly string[] };
  readonly logger: Logger;
}

export interface LinkUpkeepSettings {
  /** What is written unasked; empty: nothing. */
  readonly kinds: ReadonlySet<RepairKind>;
  readonly indexPath: string;
  readonly noteMaxBytes: number;
  /** How long nothing must have happened: both halves of a rename, and the files of a folder, come one by one. */
  readonly quietMs: number;
  /** After which it is looked all the same: some program may write into the vault every second. */
  readonly patienceMs: number;
}

export interface LinkUpkeepHooks {
  /** Whether every file that was met is in the index. */
  readonly isWhole: () => boolean;
  /** What is nobody's file's fault, such as a damaged index. */
  readonly onError: (error: unknown) => void;
}

/** How often it is asked whether the last job has ended. */
const POLL_MS = 200;

export function createLinkUpkeep(deps: LinkUpkeepDeps, hooks: LinkUpkeepHooks): LinkUpkeep {
  return new QuietUpkeep(deps, hooks);
}

class QuietUpkeep implements LinkUpkeep {
  readonly #deps: LinkUpkeepDeps;
  readonly #hooks: LinkUpkeepHooks;
  readonly #report: MendReport;
  readonly #stop = new AbortController();
  #askedAt = 0;
  #running: Promise<void> | null = null;
  /** Links that name what came or went before this pass have been looked at. */
  #dueFrom = 0;
  /** Some could not be, or not all. */
  #isDue = true;

  constructor(deps: LinkUpkeepDeps, hooks: LinkUpkeepHooks) {
    this.#deps = deps;
    this.#hooks = hooks;
    this.#report = new MendReport(deps.logger);
  }

  ask(): void {
    this.#askedAt = performance.now();
    if (this.#running !== null || this.#stop.signal.aborted) return;
    this.#running = this.#whenQuiet().finally(() => {
      this.#running = null;
    });
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #whenQuiet(): Promise<void> {
    try {
      // The end of the reconcile that it is not whole for asks again.
      if ((await this.#isQuiet()) && this.#hooks.isWhole()) await this.#look();
    } catch (error) {
      // The index is being made anew, or the vault is away: what comes next asks again.
      if (error instanceof AppError) this.#deps.logger.debug({ err: error }, 'links are looked at later');
      else this.#hooks.onError(error);
    }
  }

  /** Resolves when nothing has happened for a while, or for too long, and no job waits that belongs to what did; false when stopped. */
  async #isQuiet(): Promise<boolean> {
    const { queue, settings } = this.#deps;
    const atLatest = performance.now() + settings.patienceMs;
    for (;;) {
      const left = Math.min(this.#askedAt + settings.quietMs, atLatest) - performance.now();
      if (left > 0) await this.#rest(left);
      else {
        const { ok, queues } = await queue.stats();
        if (ok && (queues?.index.depth ?? 0) === 0) return true;
        await this.#rest(POLL_MS);
      }
      if (this.#stop.signal.aborted) return false;
    }
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => {
      // Stopped: whoever waited sees it.
    });
  }

  async #look(): Promise<void> {
    const { writer, settings, presence } = this.#deps;
    if (writer.passes.close()) this.#isDue = true;
    if (settings.kinds.size === 0 || !this.#isDue || !(await presence.isThere())) return;
    const pass = writer.passes.current();
    const reader = openIndexReader(settings.indexPath);
    try {
      if (!(await this.#mendAll(reader))) return;
      this.#dueFrom = pass;
      this.#isDue = false;
    } finally {
      reader.close();
      this.#report.end();
    }
  }

  /** @returns whether nothing has to be looked at again */
  async #mendAll(reader: IndexReader): Promise<boolean> {
    const { vault, rules, logger } = this.#deps;
    let isPartial = false;
    const onProblem = ({ path, error }: { readonly path: string; readonly error: unknown }): void => {
      isPartial = true;
      logger.warn({ err: error, path }, 'links are not mended while a part of the vault cannot be read');
    };
    const concerned = await surveyRepairs({ reader, vault, ...rules, onProblem }, { from: this.#dueFrom });
    // What lies in there would be taken for gone.
    if (isPartial) return false;
    let isDone = true;
    for (const file of concerned) {
      if (this.#stop.signal.aborted) return false;
      if (!(await this.#mend(file))) isDone = false;
    }
    return isDone;
  }

  /** @returns false for a file that is another one by now, or held by somebody: it has to be looked at again */
  async #mend(file: ConcernedFile): Promise<boolean> {
    const { vault, settings } = this.#deps;
    const { path, kinds } = file;
    try {
      if ([...kinds].some((kind) => settings.kinds.has(kind))) await this.#write(file);
      else if (file.lastEvent > 0) {
        this.#report.add(path, await proposeMending(vault, file, kinds, settings.noteMaxBytes), false);
      }
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'not_found') this.#report.refuse(path, error);
      return error.code !== 'locked';
    }
  }

  async #write(file: ConcernedFile): Promise<void> {
    const { vault, locks, settings, writer, queue, logger } = this.#deps;
    if (locks === null) throw new Error('links cannot be mended without locks');
    const vaultWriter = createVaultWriter(vault, { locks, noteMaxBytes: settings.noteMaxBytes });
    const { path } = file;
    const { etag, ...mending } = await mendFile(vaultWriter, file, settings.kinds);
    this.#report.add(path, mending, true);
    if (mending.mended.length === 0) return;
    writer.passes.expectOwn(path, etag);
    await queue.add('sync-path', { path, source: 'news' }).catch((error: unknown) => {
      logDeferred(logger, error, 'a mended note waits for the next reconcile', { path });
    });
  }
}
