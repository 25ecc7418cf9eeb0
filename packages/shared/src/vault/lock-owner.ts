/**
 * Says which processes are alive, across containers, where process ids mean nothing: each keeps an exclusive SQLite
 * lock on a file of its own, `<data>/locks/<uuid>.db`, which ends with the process whatever kills it. Danger: such locks
 * hold on one host's local file system only; and on POSIX systems a process that opens and closes such a file by other
 * means than SQLite loses its own lock, so nothing here reads these files and no copy of the folder is made in-process.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** How long a start waits for another process that is just starting, in milliseconds. */
const REGISTRATION_WAIT_MS = 10_000;
const OWNER_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.db$/;

export interface LockOwner {
  /** The uuid that this process's path locks and temp files carry. */
  readonly id: string;
  /** Whether the process behind a uuid still runs; true when that cannot be told. */
  isAlive(id: string): boolean;
  /** Ends this owner. Idempotent. */
  close(): void;
}

/**
 * Registers this process (or a part of it: a process may register more than once) as an owner of locks.
 *
 * @param folder where owners' files stand; made when missing
 * @param onRegistered runs before any other process can register; `alone` says that no other owner is alive
 * @throws OthersAtWorkError while somebody has the folder for itself; the SQLite or file system error when it cannot be
 * written
 */
export function registerLockOwner<T>(
  folder: string,
  onRegistered: (owner: LockOwner, alone: boolean) => T,
): { readonly owner: LockOwner; readonly registered: T } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Without it, a file made but not locked yet would look like a dead owner's to another process that starts.
  const registration = register(folder);
  try {
    const alone = removeDeadOwners(folder) === 0;
    const owner = createOwner(folder);
    try {
      return { owner, registered: onRegistered(owner, alone) };
    } catch (error) {
      owner.close();
      throw error;
    }
  } finally {
    registration.close();
  }
}

/** Other processes are at work in the folder; the message is one plain line. */
export class OthersAtWorkError extends Error {
  override readonly name = 'OthersAtWorkError';
}

/**
 * Does some work while no owner is alive and none can register: who starts meanwhile waits as for another that starts,
 * and then fails. Registers none itself.
 *
 * @throws OthersAtWorkError when an owner is alive, or somebody else does such work; else what `work` throws
 */
export async function whileAlone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const registration = register(folder);
  try {
    if (removeDeadOwners(folder) > 0) {
      throw new OthersAtWorkError(
        `Another program works with ${dirname(folder)}: stop servers, indexers and commands that use it first.`,
      );
    }
    return await work();
  } finally {
    registration.close();
  }
}

function register(folder: string): Database.Database {
  try {
    return lockExclusively(join(folder, 'registration.db'), REGISTRATION_WAIT_MS);
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    throw new OthersAtWorkError(
      `Another program has ${dirname(folder)} for itself, as a restore does: try again when it has ended.`,
      { cause: error },
    );
  }
}

function createOwner(folder: string): LockOwner {
  const id = randomUUID();
  const path = ownerFile(folder, id);
  const lock = lockExclusively(path, 0);
  return {
    id,
    isAlive: (other) => (other === id ? lock.open : isLocked(ownerFile(folder, other))),
    close() {
      if (!lock.open) return;
      rmSync(path, { force: true });
      lock.close();
    },
  };
}

/** @returns how many living owners are left */
function removeDeadOwners(folder: string): number {
  const files = readdirSync(folder).filter((name) => OWNER_FILE.test(name));
  const dead = files.filter((name) => !isLocked(join(folder, name)));
  for (const name of dead) rmSync(join(folder, name), { force: true });
  return files.length - dead.length;
}

function ownerFile(folder: string, id: string): string {
  return join(folder, `${id}.db`);
}

function lockExclusively(path: string, timeout: number): Database.Database {
  const db = new Database(path, { timeout });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Asks for a shared lock, so that several processes may ask at once without taking one another for the owner. */
function isLocked(path: string): boolean {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
    db.pragma('schema_version');
    return false;
  } catch {
    // No file: it ended in order. Else it is busy, or the question stays open, and a living owner must never lose.
    return existsSync(path);
  } finally {
    db?.close();
  }
}
