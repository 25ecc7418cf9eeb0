/**
 * The audit log: one row per call of every surface, in `audit.db`, without anything a note or a caller's arguments
 * hold. Danger: a call must never fail or wait for its row. What cannot be written at once (another process writes, the
 * disk is full) waits in memory, bounded, and is tried again; an outage is logged once and shown by `health`, rows that
 * had to be given up are counted.
 */
import { createHash } from 'node:crypto';
import type { Logger } from '../log.ts';
import { type AuditFilter, type AuditRow, readAudit } from './audit-reads.ts';
import { createPruning, type Pruning } from './pruning.ts';
import { openRecord, type RecordDatabase, type RecordSchema } from './versioned-database.ts';

/** What a surface says of one call. */
export interface AuditedCall {
  /** When it began, in milliseconds since 1970. */
  readonly timeMs: number;
  /** `rest`, `mcp`, `cli`, … */
  readonly surface: string;
  readonly operation: string;
  /** Who called, by the name of the key; never the key. */
  readonly agent: string;
  /** From `argumentsDigest`. */
  readonly argsDigest: string;
  /** `ok`, or the error's code. */
  readonly outcome: string;
  readonly durationMs: number;
}

export interface AuditHealth {
  /** False from a row that could not be written until all of them are. */
  readonly ok: boolean;
  readonly error: string | null;
  /** Rows that wait in memory. */
  readonly waiting: number;
  /** Rows given up since the start, because too many waited or the process ended. */
  readonly lost: number;
}

export interface AuditLog {
  /** Never throws and never waits. */
  append(call: AuditedCall): void;
  /** Newest first. @throws the SQLite error */
  read(filter: AuditFilter): AuditRow[];
  health(): AuditHealth;
  /** Writes what waits, as far as that works, and closes. Idempotent; calls after it are counted as lost. */
  close(): void;
}

export interface AuditOptions {
  /** Rows older than that go, at the start and once a day; 0 keeps all (`audit.retention_days`). */
  readonly retentionDays: number;
  readonly logger: Logger;
  /** Clock in milliseconds; tests pass their own. */
  readonly now?: () => number;
  /** Rows kept in memory through an outage. Default 10 000. */
  readonly waitingAtMost?: number;
}

/** `VMAU`. */
const APPLICATION_ID = 0x564d4155;

/** Its newest version is the number of upgrades; backups are judged by it. */
export const AUDIT_SCHEMA: RecordSchema = {
  applicationId: APPLICATION_ID,
  upgrades: [
    `CREATE TABLE call (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       time_ms INTEGER NOT NULL,
       surface TEXT NOT NULL,
       operation TEXT NOT NULL,
       agent TEXT NOT NULL,
       args_digest TEXT NOT NULL,
       outcome TEXT NOT NULL,
       duration_ms REAL NOT NULL
     );
     CREATE INDEX call_by_time ON call (time_ms);`,
  ],
};

const WAITING_AT_MOST = 10_000;
/** How long after a failure the waiting rows are tried again, in milliseconds: soon, then rarer. */
const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 5_000;
/** Failures in a row that are put down to another process writing, which is no outage: about two and a half seconds. */
const QUIET_FAILURES = 7;
/** How long the last attempt waits for other processes, in milliseconds. */
const CLOSE_WAIT_MS = 1_000;

/**
 * Opens the audit log of a data folder, `<dataPath>/audit.db`.
 *
 * @throws RecordOpenError when it is a newer version's, damaged, or cannot be written: the start has to fail then
 */
export function openAuditLog(path: string, options: AuditOptions): AuditLog {
  return new SqliteAuditLog(openRecord(path, AUDIT_SCHEMA), options);
}

/**
 * The first 16 hex digits of the SHA-256 of a call's arguments, whatever the order of their names; empty for arguments
 * that cannot be told as text, such as nested ones without end. Never throws.
 */
export function argumentsDigest(args: unknown): string {
  const text = textOf(args);
  return text === null ? '' : createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function textOf(args: unknown): string | null {
  try {
    return JSON.stringify(args, inOrder) ?? '';
  } catch {
    // Deeper than the stack, round, or longer than a string: the call itself is judged elsewhere.
    return null;
  }
}

function inOrder(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

class SqliteAuditLog implements AuditLog {
  readonly #db: RecordDatabase;
  readonly #options: Required<AuditOptions>;
  readonly #insertAll: (calls: readonly AuditedCall[]) => void;
  #waiting: AuditedCall[] = [];
  #failures = 0;
  #error: string | null = null;
  #lost = 0;
  readonly #pruning: Pruning;
  #retry: NodeJS.Timeout | undefined;

  constructor(db: RecordDatabase, options: AuditOptions) {
    this.#db = db;
    this.#options = { now: Date.now, waitingAtMost: WAITING_AT_MOST, ...options };
    const insert = db.prepare(
      `INSERT INTO call (time_ms, surface, operation, agent, args_digest, outcome, duration_ms)
       VALUES (@timeMs, @surface, @operation, @agent, @argsDigest, @outcome, @durationMs)`,
    );
    this.#insertAll = db.transaction((calls: readonly AuditedCall[]) => {
      for (const call of calls) insert.run(call);
    }).immediate;
    const removeSome = db.prepare(
      'DELETE FROM call WHERE id IN (SELECT id FROM call WHERE time_ms < ? ORDER BY time_ms LIMIT ?)',
    );
    this.#pruning = createPruning(
      { what: 'audit rows', removeSome: (before, limit) => removeSome.run(before, limit).changes },
      this.#options,
    );
    this.#pruning.whenDue();
  }

  append(call: AuditedCall): void {
    if (!this.#db.open) {
      this.#lost++;
      return;
    }
    this.#waiting.push({ ...call, timeMs: Math.round(call.timeMs) });
    const excess = this.#waiting.length - this.#options.waitingAtMost;
    if (excess > 0) {
      this.#waiting.splice(0, excess);
      this.#lost += excess;
    }
    // While an outage lasts only the timer tries: else each call would pay for an attempt.
    if (this.#retry === undefined) this.#flush();
  }

  read(filter: AuditFilter): AuditRow[] {
    return readAudit(this.#db, filter);
  }

  health(): AuditHealth {
    return { ok: this.#error === null, error: this.#error, waiting: this.#waiting.length, lost: this.#lost };
  }

  close(): void {
    if (!this.#db.open) return;
    clearTimeout(this.#retry);
    this.#pruning.stop();
    this.#db.pragma(`busy_timeout = ${CLOSE_WAIT_MS}`);
    this.#flush();
    clearTimeout(this.#retry);
    this.#lost += this.#waiting.length;
    this.#waiting = [];
    this.#db.close();
  }

  #flush(): void {
    this.#retry = undefined;
    try {
      if (this.#waiting.length > 0) this.#insertAll(this.#waiting);
      this.#waiting = [];
      this.#recovered();
      this.#pruning.whenDue();
    } catch (error) {
      this.#failed(error);
    }
  }

  #recovered(): void {
    if (this.#error !== null) this.#options.logger.info({ lost: this.#lost }, 'the audit log is written again');
    this.#failures = 0;
    this.#error = null;
  }

  #failed(error: unknown): void {
    const code = String((error as { code?: unknown }).code);
    this.#failures++;
    const isTurn = code.startsWith('SQLITE_BUSY') && this.#failures <= QUIET_FAILURES;
    if (!isTurn && this.#error === null) {
      this.#options.logger.error({ err: error }, 'the audit log cannot be written; its rows wait in memory');
    }
    if (!isTurn) this.#error = `cannot be written (${code})`;
    const delay = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LAST_RETRY_MS);
    this.#retry = setTimeout(() => this.#flush(), delay);
    // A process that has nothing else to do ends by `close`, which tries once more.
    this.#retry.unref();
  }
}
