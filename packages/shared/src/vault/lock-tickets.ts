/**
 * Who waits for which paths, in order of arrival, for all processes of a data folder: a small SQLite table that holds
 * one ticket per call that waits or works, with the paths it claims. Danger: it is shared by processes that may die at
 * any instant, so a ticket means nothing by itself: it counts as long as its owner is alive (lock-owner.ts).
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../errors.ts';
import { type ClaimedKey, foldersAbove } from './claim-order.ts';

/** How long a statement waits for another process's, each of which takes far less than a millisecond. */
const BUSY_TIMEOUT_MS = 5000;

/** A ticket that another has to wait for. */
export interface TicketAhead {
  readonly ticket: number;
  readonly owner: string;
}

export interface LockTickets {
  /** Queues up behind every ticket there is. */
  take(owner: string, claims: readonly ClaimedKey[]): number;
  /** Earlier tickets that claim one of these paths, a folder above or, for a tree, something below: one of each owner. */
  ahead(ticket: number, claims: readonly ClaimedKey[]): TicketAhead[];
  /** Another number after anything that somebody else has changed: as long as it stays, nothing has to be asked again. */
  version(): number;
  /** Every ticket there is. */
  present(): Set<number>;
  drop(ticket: number, owner: string): void;
  dropAllOf(owner: string): void;
  close(): void;
}

/**
 * @param options.fresh drop what an earlier run left; only while no other process is registered
 * @throws the SQLite error when the file cannot be opened
 */
export function openLockTickets(folder: string, options: { readonly fresh: boolean }): LockTickets {
  const path = join(folder, 'tickets.db');
  // A damaged file would block every write; tickets of dead processes mean nothing, so it is simply made anew.
  if (options.fresh) for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
  const db = connect(path);
  const insert = db.prepare<[number, string, string, number]>(
    'INSERT INTO claim (ticket, owner, key, tree) VALUES (?, ?, ?, ?)',
  );
  // Numbers may come again once a ticket is gone: only the order among those present matters.
  const nextTicket = db.prepare<[], number>('SELECT coalesce(max(ticket), 0) + 1 FROM claim').pluck();
  const drop = db.prepare<[number, string]>('DELETE FROM claim WHERE ticket = ? AND owner = ?');
  const dropAllOf = db.prepare<[string]>('DELETE FROM claim WHERE owner = ?');
  const present = db.prepare<[], number>('SELECT DISTINCT ticket FROM claim').pluck();
  const take = db.transaction((owner: string, claims: readonly ClaimedKey[]) => {
    const ticket = nextTicket.get() ?? 1;
    for (const { key, tree } of claims) insert.run(ticket, owner, key, tree ? 1 : 0);
    return ticket;
  });
  return {
    take: (owner, claims) => take.immediate(owner, claims),
    ahead: ticketsAheadOf(db),
    version: () => db.pragma('data_version', { simple: true }) as number,
    present: () => new Set(present.all()),
    drop: (ticket, owner) => void drop.run(ticket, owner),
    dropAllOf: (owner) => void dropAllOf.run(owner),
    close: () => void db.close(),
  };
}

function ticketsAheadOf(db: Database.Database): LockTickets['ahead'] {
  const claimed = 'SELECT ticket, owner FROM claim WHERE';
  const same = db.prepare<[string, number], TicketAhead>(`${claimed} key = ? AND ticket < ?`);
  const treeAt = db.prepare<[string, number], TicketAhead>(`${claimed} key = ? AND ticket < ? AND tree = 1`);
  // From `folder/` up to `folder0`, the next string that no path below the folder starts with.
  const below = db.prepare<[string, string, number], TicketAhead>(`${claimed} key >= ? AND key < ? AND ticket < ?`);
  return (ticket, claims) => {
    const found = claims.flatMap(({ key, tree }) => [
      ...same.all(key, ticket),
      ...foldersAbove(key).flatMap((folder) => treeAt.all(folder, ticket)),
      ...(tree ? below.all(`${key}/`, `${key}0`, ticket) : []),
    ]);
    return [...new Map(found.map((one) => [one.owner, one])).values()];
  };
}

function connect(path: string): Database.Database {
  const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Readers (who is ahead of me?) never wait for the one who queues up.
    db.pragma('journal_mode = WAL');
    // Tickets die with their processes, so a power cut may take any of them; it only must not damage the file.
    db.pragma('synchronous = NORMAL');
    db.exec(`
      CREATE TABLE IF NOT EXISTS claim (
        ticket INTEGER NOT NULL,
        owner TEXT NOT NULL,
        key TEXT NOT NULL,
        tree INTEGER NOT NULL
      );
      CREATE INDEX IF NOT EXISTS claim_by_key ON claim (key, ticket, tree, owner);
      CREATE INDEX IF NOT EXISTS claim_by_ticket ON claim (ticket, owner);
    `);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What the tickets' database can fail with, in a caller's terms: every question about tickets goes through it. */
export function asked<T>(question: () => T): T {
  try {
    return question();
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (code.startsWith('SQLITE_FULL')) {
      const message = "The disk that holds the server's data is full, so nothing was changed: free some space.";
      throw new AppError('insufficient_storage', message, { cause: error });
    }
    if (code.startsWith('SQLITE_BUSY')) {
      throw new AppError('locked', 'Other calls keep the locks busy, so nothing was changed: try again.', {
        cause: error,
      });
    }
    throw error;
  }
}
