/**
 * Locks on vault paths that hold between all processes and containers of one data folder. Whoever comes first is served
 * first; a waiter gives up after 30 seconds; what a dead process held is taken over at once. Danger: a call that takes
 * a lock while it holds another can wait for one that waits for it, so an operation claims all its paths together.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { type Logger, silentLogger } from '../log.ts';
import { type LockOwner, registerLockOwner } from './lock-owner.ts';
import { type ClaimedKey, type LockTickets, openLockTickets } from './lock-tickets.ts';
import { pathKey, shown, type VaultPath } from './path.ts';

/** How long a call waits for its turn, in milliseconds (the product's contract). */
const WAIT_MS = 30_000;
/** How often a waiter looks whether another process has finished. Turns inside a process need no looking. */
const POLL_MS = 10;
/** How often a waiter asks whether those before it are still alive. */
const ALIVE_CHECK_MS = 250;

export interface PathClaim {
  readonly path: VaultPath;
  /** Claims everything below the path too, and so waits for every call at work there. */
  readonly tree?: boolean;
}

export interface PathLocks {
  /** The uuid that this process's temp files carry. */
  readonly owner: string;
  /** Whether the process behind such a uuid still runs. */
  isAlive(owner: string): boolean;
  /**
   * Does some work while holding all these paths, in any spelling of their names. Each waiter has its turn in order of
   * arrival; unrelated paths never wait for one another.
   *
   * @throws AppError `locked` when the paths were not free in time, `insufficient_storage` when the data folder's disk
   * is full; else what `work` throws
   */
  hold<T>(claims: readonly PathClaim[], work: () => Promise<T>): Promise<T>;
  /**
   * Gives everything back; calls still waiting end with `locked`, and so does work under way, before it changes
   * anything more (refuseWhenClosed). Idempotent.
   */
  close(): void;
}

/** What says whose a temporary file is, and whether that process still runs. */
export type LockOwnership = Pick<PathLocks, 'owner' | 'isAlive'>;

/**
 * For the last moment before a change: work that outlives `close` (a long note on a thread) holds its path no longer.
 *
 * @throws AppError `locked` once these locks are closed
 */
export function refuseWhenClosed(locks: LockOwnership): void {
  if (!locks.isAlive(locks.owner)) throw closing();
}

export interface LockOptions {
  /** How long a call waits for its turn, in milliseconds. Default 30 000. */
  readonly waitMs?: number;
  readonly logger?: Logger;
}

/**
 * Opens the locks of a data folder, in `<dataPath>/locks`.
 *
 * @throws the SQLite or file system error when the folder cannot be written
 */
export async function openPathLocks(dataPath: string, options: LockOptions = {}): Promise<PathLocks> {
  const folder = join(dataPath, 'locks');
  const { owner, registered } = registerLockOwner(folder, (_owner, alone) => openLockTickets(folder, { fresh: alone }));
  return new TicketLocks(owner, registered, options);
}

interface Waiter {
  readonly ticket: number;
  readonly claims: readonly ClaimedKey[];
  readonly paths: readonly PathClaim[];
  readonly deadline: number;
  go(): void;
  fail(error: unknown): void;
}

class TicketLocks implements PathLocks {
  readonly #owner: LockOwner;
  readonly #tickets: LockTickets;
  readonly #waitMs: number;
  readonly #logger: Logger;
  /** In order of arrival. */
  readonly #waiters = new Set<Waiter>();
  readonly #aliveChecked = new Map<string, number>();
  /** Keys of what is being worked on here; no key is held twice. */
  readonly #heldKeys = new Set<string>();
  /** Tickets of finished calls that could not be dropped (a full disk): tried again until it works. */
  readonly #leftovers = new Set<number>();
  #poll: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(owner: LockOwner, tickets: LockTickets, options: LockOptions) {
    this.#owner = owner;
    this.#tickets = tickets;
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.#logger = options.logger ?? silentLogger();
  }

  get owner(): string {
    return this.#owner.id;
  }

  isAlive(owner: string): boolean {
    return this.#owner.isAlive(owner);
  }

  async hold<T>(paths: readonly PathClaim[], work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw closing();
    const claims = paths.map(({ path, tree }) => ({ key: pathKey(path), tree: tree ?? false }));
    const ticket = asked(() => this.#tickets.take(this.owner, claims));
    try {
      await this.#turn(ticket, claims, paths);
    } catch (error) {
      this.#giveBack(ticket);
      throw error;
    }
    try {
      return await work();
    } finally {
      for (const { key } of claims) this.#heldKeys.delete(key);
      this.#giveBack(ticket);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#poll);
    for (const waiter of this.#waiters) waiter.fail(closing());
    this.#waiters.clear();
    this.#tickets.dropAllOf(this.owner);
    this.#tickets.close();
    this.#owner.close();
  }

  #turn(ticket: number, claims: readonly ClaimedKey[], paths: readonly PathClaim[]): Promise<void> {
    return new Promise((go, fail) => {
      this.#waiters.add({ ticket, claims, paths, deadline: performance.now() + this.#waitMs, go, fail });
      this.#serve();
    });
  }

  /** Lets everyone in whose turn it is, and comes back later for the others. */
  #serve(): void {
    clearTimeout(this.#poll);
    this.#dropLeftovers();
    // Of those here that want the same path only the first can be next, so that the table is asked for that one alone.
    const wanted = new Set(this.#heldKeys);
    for (const waiter of this.#waiters) {
      const isBehind = waiter.claims.some(({ key }) => wanted.has(key));
      for (const { key } of waiter.claims) wanted.add(key);
      try {
        if (!isBehind && this.#isNext(waiter)) this.#letIn(waiter);
        else if (performance.now() > waiter.deadline) waiter.fail(notInTime(waiter.paths, this.#waitMs));
        else continue;
      } catch (error) {
        waiter.fail(error);
      }
      this.#waiters.delete(waiter);
    }
    if (this.#waiters.size + this.#leftovers.size > 0) this.#poll = setTimeout(() => this.#serve(), POLL_MS);
  }

  #letIn({ claims, go }: Waiter): void {
    for (const { key } of claims) this.#heldKeys.add(key);
    go();
  }

  #isNext({ ticket, claims }: Waiter): boolean {
    const ahead = asked(() => this.#tickets.ownersAhead(ticket, claims));
    for (const owner of ahead) if (this.#isDead(owner)) ahead.delete(owner);
    return ahead.size === 0;
  }

  #isDead(owner: string): boolean {
    if (owner === this.owner) return false;
    const now = performance.now();
    if (now - (this.#aliveChecked.get(owner) ?? Number.NEGATIVE_INFINITY) < ALIVE_CHECK_MS) return false;
    if (this.isAlive(owner)) {
      this.#aliveChecked.set(owner, now);
      return false;
    }
    this.#aliveChecked.delete(owner);
    asked(() => this.#tickets.dropAllOf(owner));
    return true;
  }

  #giveBack(ticket: number): void {
    if (this.#closed) return;
    this.#leftovers.add(ticket);
    this.#serve();
  }

  /** Never throws: the call is done, and its result must not become an error. */
  #dropLeftovers(): void {
    for (const ticket of this.#leftovers) {
      try {
        this.#tickets.drop(ticket, this.owner);
        this.#leftovers.delete(ticket);
      } catch (error) {
        this.#logger.warn({ err: error }, 'a path lock could not be given back yet; trying again');
        return;
      }
    }
  }
}

/** What the lock's own database can fail with, in a caller's terms. */
function asked<T>(question: () => T): T {
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

function notInTime(paths: readonly PathClaim[], waitMs: number): AppError {
  const names = paths.slice(0, 3).map(({ path }) => `"${shown(path)}"`);
  const waited = Math.round(waitMs / 1000);
  return new AppError(
    'locked',
    `Other calls were still changing ${names.join(', ')} after ${waited} seconds. Nothing was changed: try again.`,
  );
}

function closing(): AppError {
  return new AppError('locked', 'The server is stopping, so nothing was changed: try again in a moment.');
}
