/**
 * Locks on vault paths that hold between all processes and containers of one data folder. Whoever comes first is served
 * first; a waiter gives up after 30 seconds; what a dead process held is taken over at once. Danger: a call that takes
 * a lock while it holds another can wait for one that waits for it, so an operation claims all its paths together.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { createOutageLog, type Logger, type OutageLog, reasonOf, silentLogger } from '../log.ts';
import { ClaimOrder, type Place } from './claim-order.ts';
import { type LockOwner, registerLockOwner } from './lock-owner.ts';
import { asked, type LockTickets, openLockTickets, type TicketAhead } from './lock-tickets.ts';
import { pathKey, shown, type VaultPath } from './path.ts';

/** How long a call waits for its turn, in milliseconds (the product's contract). */
const WAIT_MS = 30_000;
/** How often a waiter looks whether another process has finished. Turns inside a process need no looking. */
const POLL_MS = 10;
const OUTAGE = { away: 'path locks cannot be given back; trying on', back: 'path locks are given back again' };
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
  /** Aborted by `close`, with the `locked` that calls end with: for work that takes long while it holds a path. */
  readonly closed: AbortSignal;
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
  /** Opens the tickets of a folder; tests count what they are asked. */
  readonly openTickets?: typeof openLockTickets;
}

/**
 * Opens the locks of a data folder, in `<dataPath>/locks`.
 *
 * @throws the SQLite or file system error when the folder cannot be written
 */
export async function openPathLocks(dataPath: string, options: LockOptions = {}): Promise<PathLocks> {
  const folder = join(dataPath, 'locks');
  const openTickets = options.openTickets ?? openLockTickets;
  const { owner, registered } = registerLockOwner(folder, (_owner, alone) => openTickets(folder, { fresh: alone }));
  return new TicketLocks(owner, registered, options);
}

/** A call that waits for its paths or works on them. */
interface Call {
  readonly ticket: number;
  readonly paths: readonly PathClaim[];
  /** Calls of this process that look again when this one has left. */
  readonly followers: Set<Place<Call>>;
  /** What it waits for with another process (or with a ticket of ours that could not be dropped yet). */
  ahead?: TicketAhead;
  /** Set while it waits. */
  waiting?: { go(): void; fail(error: unknown): void; readonly timer: NodeJS.Timeout };
}

class TicketLocks implements PathLocks {
  readonly #owner: LockOwner;
  readonly #tickets: LockTickets;
  readonly #waitMs: number;
  readonly #outage: OutageLog;
  /** Everybody here, at work or waiting: most questions of who is next are answered by it, without the table. */
  readonly #order = new ClaimOrder<Call>();
  readonly #waiters = new Set<Place<Call>>();
  /** Those of them whom nobody here keeps waiting, but another process does. */
  readonly #polling = new Set<Place<Call>>();
  /** The tickets' version that the last look saw; undefined when they have to be looked at in any case. */
  #seen: number | undefined;
  readonly #aliveChecked = new Map<string, number>();
  /** Tickets of finished calls that could not be dropped (a full disk): tried again until it works. */
  readonly #leftovers = new Set<number>();
  #poll: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(owner: LockOwner, tickets: LockTickets, options: LockOptions) {
    this.#owner = owner;
    this.#tickets = tickets;
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.#outage = createOutageLog(options.logger ?? silentLogger(), OUTAGE);
  }

  get owner(): string {
    return this.#owner.id;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  isAlive(owner: string): boolean {
    return this.#owner.isAlive(owner);
  }

  async hold<T>(paths: readonly PathClaim[], work: () => Promise<T>): Promise<T> {
    this.closed.throwIfAborted();
    const claims = paths.map(({ path, tree }) => ({ key: pathKey(path), tree: tree ?? false }));
    const ticket = asked(() => this.#tickets.take(this.owner, claims));
    const place = this.#order.enter({ ticket, paths, followers: new Set() }, claims);
    try {
      await this.#turn(place);
      return await work();
    } finally {
      this.#leave(place);
    }
  }

  close(): void {
    if (this.closed.aborted) return;
    this.#closing.abort(closing());
    clearTimeout(this.#poll);
    for (const place of this.#waiters) this.#end(place, closing());
    this.#tickets.dropAllOf(this.owner);
    this.#tickets.close();
    this.#owner.close();
  }

  #turn(place: Place<Call>): Promise<void> {
    return new Promise((go, fail) => {
      const timer = setTimeout(() => this.#giveUp(place), this.#waitMs);
      place.call.waiting = { go, fail, timer };
      this.#waiters.add(place);
      this.#consider(place);
    });
  }

  /** Lets a waiter in if it is next; else sees to it that it is considered again when it may be. */
  #consider(place: Place<Call>): void {
    const blocker = this.#order.blockerOf(place);
    if (blocker !== undefined) {
      blocker.call.followers.add(place);
      return;
    }
    try {
      const ahead = this.#ticketAhead(place);
      if (ahead === undefined) this.#end(place);
      else {
        place.call.ahead = ahead;
        this.#polling.add(place);
        this.#pollSoon();
      }
    } catch (error) {
      this.#end(place, error);
    }
  }

  #giveUp(place: Place<Call>): void {
    // Its turn may have come since the last look.
    this.#consider(place);
    this.#end(place, notInTime(place.call.paths, this.#waitMs));
  }

  /** Ends waiting: in it goes, or out with an error. Without effect when it has ended before. */
  #end(place: Place<Call>, error?: unknown): void {
    const { waiting } = place.call;
    if (waiting === undefined) return;
    delete place.call.waiting;
    this.#waiters.delete(place);
    this.#polling.delete(place);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.go();
    else waiting.fail(error);
  }

  #ticketAhead({ call, claims }: Place<Call>): TicketAhead | undefined {
    const ahead = asked(() => this.#tickets.ahead(call.ticket, claims));
    return ahead.find(({ owner }) => !this.#isDead(owner));
  }

  #pollSoon(): void {
    this.#poll ??= setTimeout(() => {
      this.#poll = undefined;
      this.#dropLeftovers();
      this.#look();
      if (this.#polling.size + this.#leftovers.size > 0) this.#pollSoon();
    }, POLL_MS);
  }

  /** Considers those again whose turn another process may have made it. */
  #look(): void {
    if (this.#polling.size === 0) return;
    try {
      const version = asked(() => this.#tickets.version());
      const present = version === this.#seen ? undefined : asked(() => this.#tickets.present());
      this.#seen = version;
      for (const place of [...this.#polling]) {
        const { ahead } = place.call;
        if (ahead !== undefined && present?.has(ahead.ticket) !== false && !this.#isDead(ahead.owner)) continue;
        this.#polling.delete(place);
        this.#consider(place);
      }
    } catch (error) {
      for (const place of this.#polling) this.#end(place, error);
    }
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

  #leave(place: Place<Call>): void {
    if (this.closed.aborted) return;
    this.#order.leave(place);
    this.#leftovers.add(place.call.ticket);
    this.#dropLeftovers();
    for (const follower of place.call.followers) if (follower.call.waiting !== undefined) this.#consider(follower);
    if (this.#leftovers.size > 0) this.#pollSoon();
  }

  /** Never throws: the call is done, and its result must not become an error. */
  #dropLeftovers(): void {
    for (const ticket of this.#leftovers) {
      try {
        this.#tickets.drop(ticket, this.owner);
        this.#leftovers.delete(ticket);
        // What this process changes does not show in the version.
        this.#seen = undefined;
        this.#outage.back();
      } catch (error) {
        this.#outage.away(reasonOf(error));
        return;
      }
    }
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
