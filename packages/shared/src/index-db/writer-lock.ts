/**
 * The lock that makes sure one process writes the index of a data folder. It is an exclusive SQLite lock on a file of
 * its own, because such a lock ends with the process whatever kills it, and process ids mean nothing between
 * containers. Danger: it holds on one host's local file system only; network mounts may not honour it.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Who holds the lock, as the holder wrote it down. */
export interface WriterIdentity {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** Another process writes this index; the message names it. */
export class WriterLockedError extends Error {
  readonly holder: WriterIdentity | null;
  constructor(dataPath: string, holder: WriterIdentity | null) {
    const who = holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process';
    super(`The index in ${dataPath} is being written by ${who}. Stop that one first, or use another data folder.`);
    this.name = 'WriterLockedError';
    this.holder = holder;
  }
}

export interface WriterLock {
  /**
   * Names this folder and no other: whoever holds its lock knows that a process which named the same folder elsewhere
   * has ended. A copy of the folder has another name.
   */
  readonly folder: string;
  /** Frees the lock. Idempotent. */
  release(): void;
}

/**
 * Takes the writer's lock of a data folder, or refuses at once.
 * @throws WriterLockedError when another process (or another lock in this one) holds it
 */
export function acquireWriterLock(dataPath: string): WriterLock {
  const folder = join(dataPath, 'locks');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const identityPath = join(folder, 'writer.json');
  const lockPath = join(folder, 'writer.db');
  const db = new Database(lockPath, { timeout: 0 });
  try {
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) {
      throw new WriterLockedError(dataPath, readIdentity(identityPath));
    }
    throw error;
  }
  const identity: WriterIdentity = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(identityPath, JSON.stringify(identity), { mode: 0o600 });
  return {
    folder: folderName(join(folder, 'writer-id'), lockPath),
    release() {
      if (!db.open) return;
      rmSync(identityPath, { force: true });
      db.close();
    },
  };
}

/** A random id kept in the folder, with the lock file's inode, which a copy does not take along. */
function folderName(idPath: string, lockPath: string): string {
  let id = '';
  try {
    id = readFileSync(idPath, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (id === '') {
    id = randomUUID();
    writeFileSync(idPath, id, { mode: 0o600 });
  }
  return `${id}-${statSync(lockPath).ino}`;
}

/** Null when nothing is written down or it cannot be told. */
function readIdentity(path: string): WriterIdentity | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as WriterIdentity;
  } catch {
    // The holder may just be writing it, or has no right to: the refusal stands without the name.
    return null;
  }
}
