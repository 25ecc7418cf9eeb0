/**
 * A read-only connection to whatever index file is at a path now. Danger: the indexer may replace the file while it is
 * open, so the connection is checked against the path (device and inode, at most once a second) and reopened.
 */
import { AppError } from '../errors.ts';
import { fileIdentity, isDamaged, openReadable, type Sqlite } from './open.ts';
import { prepareReads, type ReadStatements } from './reads.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** How often an open reader looks whether the file at its path is still the one it opened. */
const IDENTITY_CHECK_MS = 1000;

interface OpenFile {
  readonly db: Sqlite;
  readonly sql: ReadStatements;
  readonly identity: string;
}

export class ReaderConnection {
  readonly #path: string;
  readonly #now: () => number;
  readonly #onDamaged: (error: unknown) => void;
  #open: OpenFile | null = null;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, now: () => number, onDamaged: (error: unknown) => void) {
    this.#path = path;
    this.#now = now;
    this.#onDamaged = onDamaged;
  }

  /** Runs `read` on the current file, and says `not_ready` for whatever means that there is no usable one. */
  use<T>(read: (db: Sqlite, sql: ReadStatements) => T): T {
    try {
      const { db, sql } = this.#current();
      return read(db, sql);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  close(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  #current(): OpenFile {
    const now = this.#now();
    if (this.#open && now - this.#checkedAt < IDENTITY_CHECK_MS) return this.#open;
    const identity = fileIdentity(this.#path);
    if (identity === null) {
      this.close();
      throw notReady('There is no index yet.');
    }
    this.#checkedAt = now;
    if (this.#open && this.#open.identity === identity) return this.#open;
    this.close();
    const db = openReadable(this.#path);
    try {
      const version = db.pragma('user_version', { simple: true });
      if (version !== SCHEMA_VERSION) throw notReady('The index is being rebuilt for this version.');
      this.#open = { db, sql: prepareReads(db), identity };
    } catch (error) {
      db.close();
      throw error;
    }
    return this.#open;
  }

  #explain(error: unknown): unknown {
    if (error instanceof AppError) return error;
    const code = (error as { code?: string }).code ?? '';
    if (code === 'SQLITE_CANTOPEN' || code === 'ENOENT') return notReady('There is no index yet.', error);
    if (isDamaged(error)) {
      this.#onDamaged(error);
      this.close();
      return notReady('The index was damaged and is being rebuilt.', error);
    }
    // The indexer made the tables anew between two statements: statements prepared before no longer fit.
    if (code === 'SQLITE_ERROR' && /no such (table|column)/.test((error as Error).message)) {
      this.close();
      return notReady('The index is being rebuilt.', error);
    }
    return error;
  }
}

function notReady(what: string, cause?: unknown): AppError {
  return new AppError('not_ready', `${what} Ask again in a few seconds; GET /readyz shows the progress.`, { cause });
}
