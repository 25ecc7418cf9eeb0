/**
 * Opens a record that is a SQLite file of its own: made when missing, upgraded after a copy when older, refused when
 * newer. Danger: a record cannot be rebuilt, so a file that is not understood (damaged, another program's, a newer
 * version's) is never replaced or repaired here; the start fails, and says what to do.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { copyDatabase } from './copy-database.ts';
import { RecordOpenError } from './record-open-error.ts';
import { refuseHalfRestored } from './restore-marker.ts';

export type RecordDatabase = Database.Database;

export interface RecordSchema {
  /** Tells our file from another program's. A positive 32-bit number. */
  readonly applicationId: number;
  /** The statements that lead from each version to the next; the first makes the tables in an empty file. */
  readonly upgrades: readonly string[];
}

/** How long the opening waits for another process that is just opening the same file, in milliseconds. */
const OPEN_WAIT_MS = 10_000;

/**
 * Opens a record, the folder made with mode 0700 and the file with 0600.
 *
 * @returns the connection, in WAL mode, with `busy_timeout` at 0: a caller decides for itself how to wait
 * @throws RecordOpenError for a newer version, another program's file, a damaged one, one that cannot be opened, and while
 * a restore of its folder is half done
 */
export function openRecord(path: string, schema: RecordSchema): RecordDatabase {
  refuseHalfRestored(dirname(path));
  let db: RecordDatabase | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    db = new Database(path, { timeout: OPEN_WAIT_MS });
    chmodSync(path, 0o600);
    db.pragma('journal_mode = WAL');
    // A killed process loses nothing; a power cut may lose the last moments, which an fsync per row is not worth.
    db.pragma('synchronous = NORMAL');
    bringUpToDate(db, path, schema);
    db.pragma('busy_timeout = 0');
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof RecordOpenError) throw error;
    throw new RecordOpenError(`${path} ${openProblem(error)}`, { cause: error });
  }
}

/** All under the write lock, so that of processes that start together one upgrades and the others find it done. */
function bringUpToDate(db: RecordDatabase, path: string, { applicationId, upgrades }: RecordSchema): void {
  const current = upgrades.length;
  db.transaction(() => {
    const version = versionOf(db, path, applicationId, current);
    if (version === current) return;
    // By another connection, since a copy cannot be made within the transaction that holds the lock; what stands there
    // is of an upgrade that did not come to its end.
    if (version > 0) copyDatabase(path, `${path}.v${version}`);
    for (const upgrade of upgrades.slice(version)) db.exec(upgrade);
    db.pragma(`user_version = ${current}`);
    db.pragma(`application_id = ${applicationId}`);
  }).immediate();
}

/** 0 for an empty file. */
function versionOf(db: RecordDatabase, path: string, applicationId: number, current: number): number {
  if (db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return 0;
  if (db.pragma('application_id', { simple: true }) !== applicationId) {
    throw new RecordOpenError(`${path} is a database of another program: set data.path to a folder of its own.`);
  }
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version <= current) return version;
  throw new RecordOpenError(
    `${path} was written by a newer version (schema ${version}; this one knows ${current}): start that one, or restore a backup.`,
  );
}

function openProblem(error: unknown): string {
  const code = String((error as { code?: unknown }).code);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return 'is damaged: move it away, or restore it from a backup. It is a record and never replaced by itself.';
  }
  return `cannot be opened (${code}): see that its folder can be written and its disk is not full.`;
}
