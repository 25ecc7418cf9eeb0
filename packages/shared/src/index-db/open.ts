/**
 * The one place where the index database is opened. Danger: every pragma here is load-bearing, and sqlite-vec has to
 * be loaded on each connection (each thread opens its own). A file that cannot be read as a database is replaced by
 * the writer only; readers never create, repair or keep a replaced file alive.
 */
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { load as loadSqliteVec } from 'sqlite-vec';
import { APPLICATION_ID, SCHEMA_SQL, SCHEMA_VERSION } from './schema.ts';

export type Sqlite = Database.Database;

/** Result codes that mean the file itself is damaged: nothing but replacing it helps. */
const DAMAGED_CODES = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

/** Whether this error says that the database file is damaged. */
export function isDamaged(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && DAMAGED_CODES.some((known) => code === known || code.startsWith(`${known}_`));
}

/** The path holds a file that is not ours: it is left alone. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

/**
 * Opens the index for its one writer, making folder (0700) and file (0600) when missing.
 * @returns the connection, and `fresh` with the reason when the tables were made anew (nothing is indexed yet)
 * @throws ForeignFileError when the path names another program's database; the SQLite or file system error when the
 * folder cannot be written
 */
export function openWritable(path: string): { db: Sqlite; fresh: string | null } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const db = connect(path);
    const version = db.pragma('user_version', { simple: true });
    const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
    if (!isEmpty) refuseForeign(db, path);
    if (version === SCHEMA_VERSION && !isEmpty) return { db, fresh: null };
    recreateTables(db);
    return { db, fresh: isEmpty ? 'no index yet' : `schema version ${String(version)} is not ${SCHEMA_VERSION}` };
  } catch (error) {
    if (!isDamaged(error)) throw error;
    setAside(path);
    const db = connect(path);
    recreateTables(db);
    return { db, fresh: 'the index file was damaged' };
  }
}

function refuseForeign(db: Sqlite, path: string): void {
  if (db.pragma('application_id', { simple: true }) === APPLICATION_ID) return;
  db.close();
  throw new ForeignFileError(`${path} is a database of another program. Set index.path (INDEX_PATH) to a new file.`);
}

/** Moves a damaged file to `<path>.damaged`: if a mistyped setting named somebody's file, it is not lost. */
export function setAside(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
  if (existsSync(path)) renameSync(path, `${path}.damaged`);
}

function connect(path: string): Sqlite {
  const db = new Database(path);
  try {
    chmodSync(path, 0o600);
    // Readers never block on the writer, and the writer never on readers.
    db.pragma('journal_mode = WAL');
    // The index is derived: losing the last commits to a power cut costs a reconcile, an fsync per commit costs always.
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    db.pragma('busy_timeout = 5000');
    // 16 MiB instead of 4: fewer checkpoints in a burst, each of which copies the same hot pages again.
    db.pragma('wal_autocheckpoint = 4000');
    // Bounds the write-ahead log after a burst; without it the file keeps its largest size.
    db.pragma('journal_size_limit = 33554432');
    // 32 MiB of page cache: cold indexing touches the full-text index's pages again and again.
    db.pragma('cache_size = -32768');
    db.pragma('temp_store = MEMORY');
    loadSqliteVec(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Drops whatever tables are there and creates this version's, in one transaction: readers see the old or the new. The
 * generation goes on from where it was, and never starts below the clock, so that no client meets an old one again.
 */
export function recreateTables(db: Sqlite): void {
  db.pragma('foreign_keys = OFF');
  try {
    db.transaction(() => {
      const generation = Math.max(lastGeneration(db) + 1, Math.floor(Date.now() / 1000));
      for (const { type, name } of userObjects(db)) db.exec(`DROP ${type} IF EXISTS "${name.replaceAll('"', '""')}"`);
      db.exec(SCHEMA_SQL);
      db.prepare("UPDATE meta SET value = ? WHERE key = 'generation'").run(String(generation));
    })();
  } finally {
    db.pragma('foreign_keys = ON');
  }
}

function lastGeneration(db: Sqlite): number {
  const hasMeta = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined;
  if (!hasMeta) return 0;
  const stored = db.prepare<[], { value: string }>("SELECT value FROM meta WHERE key = 'generation'").get();
  return Number(stored?.value ?? 0);
}

/** Virtual tables first: dropping one removes its shadow tables, which may not be dropped by themselves. */
function userObjects(db: Sqlite): { type: string; name: string }[] {
  return db
    .prepare<[], { type: string; name: string }>(
      `SELECT type, name FROM sqlite_schema
       WHERE type IN ('table', 'view', 'trigger') AND name NOT LIKE 'sqlite_%'
       ORDER BY type = 'trigger' DESC, sql LIKE 'CREATE VIRTUAL%' AND name = 'chunk_term' DESC, sql LIKE 'CREATE VIRTUAL%' DESC`,
    )
    .all()
    .filter(({ name }) => !/^chunk_terms_/.test(name));
}

/** Device and inode of the file at a path, or null when there is none: tells a file from another put in its place. */
export function fileIdentity(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : null;
}

/**
 * Opens the index for reading only.
 * @throws the SQLite error when the file is missing (SQLITE_CANTOPEN) or damaged
 */
export function openReadable(path: string): Sqlite {
  // The shared-memory file must be writable for a WAL reader, so `readonly` needs the folder writable by this uid.
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    db.pragma('query_only = ON');
    db.pragma('busy_timeout = 2000');
    db.pragma('cache_size = -16384');
    loadSqliteVec(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
