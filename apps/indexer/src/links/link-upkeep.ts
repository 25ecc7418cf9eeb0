/**
 * Keeps links leading where they led when files are renamed outside of this program, or a second note takes a name: looked
 * at once the vault is quiet, as far as the settings allow it. Danger: it writes into people's notes unasked, so only what
 * is certain is written, each file under its lock and only as it was indexed; whatever else is logged, for doctor to name.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@vault-mcp/shared/errors';
import { type IndexReader, openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import { type Mending, mendFile, proposeMending } from '@vault-mcp/shared/link-repair/mend-file';
import type { RepairKind } from '@vault-mcp/shared/link-repair/repair-judge';
import { type ConcernedFile, surveyRepairs } from '@vault-mcp/shared/link-repair/survey';
import type { Logger } from '@vault-mcp/shared/log';
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';

export interface LinkUpkeep {
  /** Files came, changed or went; the vault may be quiet in a while. */
  ask(): void;
  /** Ends what is being looked at after the file in hand. */
  stop(): Promise<void>;
}

export interface LinkUpkeepDeps {
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly writer: Pick<IndexWriter, 'closePass'>;
  readonly queue: Pick<JobProducer, 'add'>;
  /** Null where no kind is mended. */
  readonly locks: PathLocks | null;
  readonly settings: LinkUpkeepSettings;
  readonly logger: Logger;
}

export interface LinkUpkeepSettings {
  /** What is written unasked; empty: nothing. */
  readonly kinds: ReadonlySet<RepairKind>;
  readonly indexPath: string;
  readonly ignore: readonly string[];
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

/** Links named in the log of one look. */
const LOGGED = 50;

export function createLinkUpkeep(deps: LinkUpkeepDeps, hooks: LinkUpkeepHooks): LinkUpkeep {
  return new QuietUpkeep(deps, hooks);
}

class QuietUpkeep implements LinkUpkeep {
  readonly #deps: LinkUpkeepDeps;
  readonly #hooks: LinkUpkeepHooks;
  readonly #stop = new AbortController();
  #askedAt = 0;
  #running: Promise<void> | null = null;
  /** A look that could not be made, or was cut short, is made up for by the next one. */
  #isDue = true;
  /** The last event whose links have been reported. */
  #reported = 0;

  constructor(deps: LinkUpkeepDeps, hooks: LinkUpkeepHooks) {
    this.#deps = deps;
    this.#hooks = hooks;
  }

  ask(): void {
    this.#askedAt = performance.now();
    if (this.#running !== null || this.#stop.signal.aborted) return;
    this.#running = this.#whenQuiet().finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #whenQuiet(): Promise<void> {
    const { signal } = this.#stop;
    const { quietMs, patienceMs } = this.#deps.settings;
    const atLatest = performance.now() + patienceMs;
    for (;;) {
      const left = Math.min(this.#askedAt + quietMs, atLatest) - performance.now();
      if (left <= 0) break;
      await sleep(left, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
    // Its end asks again.
    if (!this.#hooks.isWhole()) return;
    try {
      await this.#look();
    } catch (error) {
      this.#isDue = true;
      // The index is being made anew, or the vault is away: what comes next asks again.
      if (error instanceof AppError) this.#deps.logger.debug({ err: error }, 'links are looked at later');
      else this.#hooks.onError(error);
    }
  }

  async #look(): Promise<void> {
    const { writer, settings, presence } = this.#deps;
    const hadMoves = writer.closePass();
    if (settings.kinds.size === 0 || !(hadMoves || this.#isDue)) return;
    if (!(await presence.isThere())) return;
    this.#isDue = false;
    const reader = openIndexReader(settings.indexPath);
    try {
      await this.#mendAll(reader);
    } finally {
      reader.close();
    }
  }

  async #mendAll(reader: IndexReader): Promise<void> {
    const { vault, settings, logger, queue } = this.#deps;
    let isPartial = false;
    const concerned = await surveyRepairs({
      ...{ reader, vault, ignore: settings.ignore },
      onProblem: ({ path, error }) => {
        isPartial = true;
        logger.warn({ err: error, path }, 'links are not mended while a part of the vault cannot be read');
      },
    });
    // What lies in there would be taken for gone.
    if (isPartial) return;
    const report = createReport(logger, this.#reported);
    for (const file of concerned) {
      if (this.#stop.signal.aborted) {
        this.#isDue = true;
        return;
      }
      if (!this.#writes(file) && file.lastEvent <= this.#reported) continue;
      const mending = await this.#mend(file);
      if (mending === null) continue;
      report.add(file, mending, settings.kinds);
      if (mending.mended.length === 0 || !this.#writes(file)) continue;
      await queue.add('sync-path', { path: file.path, source: 'news' }).catch((error: unknown) => {
        logDeferred(logger, error, 'a mended note waits for the next reconcile', { path: file.path });
      });
    }
    this.#reported = report.end();
  }

  #writes({ kinds }: ConcernedFile): boolean {
    return [...kinds].some((kind) => this.#deps.settings.kinds.has(kind));
  }

  /** Null for a file that is another one by now, or cannot be had: the next look sees it as it is then. */
  async #mend(file: ConcernedFile): Promise<Mending | null> {
    const { vault, locks, settings, logger } = this.#deps;
    if (locks === null) throw new Error('links cannot be mended without locks');
    try {
      if (!this.#writes(file)) return await proposeMending(vault, file, file.kinds, settings.noteMaxBytes);
      const writer = createVaultWriter(vault, { locks, noteMaxBytes: settings.noteMaxBytes });
      return await mendFile(writer, file, settings.kinds);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'not_found') logger.warn({ err: error, path: file.path }, 'the links of a file are left');
      return null;
    }
  }
}

/** What was mended, and once for each event what was not. */
function createReport(logger: Logger, reported: number) {
  let logged = 0;
  let last = reported;
  const log = (write: () => void): void => {
    if (logged++ < LOGGED) write();
  };
  return {
    add({ path, kinds, lastEvent }: ConcernedFile, { mended, left }: Mending, enabled: ReadonlySet<RepairKind>): void {
      const isWritten = [...kinds].some((kind) => enabled.has(kind));
      last = Math.max(last, lastEvent);
      for (const { line, before, after } of mended) {
        if (isWritten) log(() => logger.info({ path, line, before, after }, 'a link follows the file that it led to'));
        else if (lastEvent > reported)
          log(() => logger.info({ path, line, before, after }, 'vault-mcp doctor --fix-links would mend a link'));
      }
      if (lastEvent <= reported) return;
      for (const { line, reason } of left) log(() => logger.info({ path, line, reason }, 'a link is left as it is'));
    },
    /** @returns the last event that was reported */
    end(): number {
      if (logged > LOGGED)
        logger.info({ more: logged - LOGGED }, 'more links than are named: vault-mcp doctor has them');
      return last;
    },
  };
}
