/**
 * Where a change of the vault is told, once it is on the disk, to whatever keeps its versions. Today nobody listens:
 * `noHistory` stands in until versions are kept. Danger: a teller must never fail or hold up the call that changed the
 * vault, so `record` returns at once and throws nothing.
 */
import type { VaultPath } from '../vault/path.ts';

/** One change, as its author would describe it. */
export interface VaultChange {
  /** The operation's name, such as `patch-note`. */
  readonly operation: string;
  /** Who asked for it, by name; never a key. */
  readonly agent: string;
  /** What the caller named as its source; undefined when it named none. */
  readonly source?: string | undefined;
  /** Exactly the entries that were touched, each in the spelling on disk; what was removed or moved away included. */
  readonly paths: readonly VaultPath[];
}

export interface History {
  /** Takes note of a change that has happened. Never throws and never waits. */
  record(change: VaultChange): void;
}

/** Keeps nothing. */
export const noHistory: History = { record: () => undefined };
