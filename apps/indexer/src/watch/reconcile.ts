/**
 * Compares every file of the vault with the index and tells what differs: the guarantee behind watcher and queue.
 * Danger: it only compares. It must never remove rows because a folder could not be read, so what stands
 * below an unreadable folder is left to the look at each file.
 */

import type { StoredFile } from '@vault-mcp/shared/index-db/file-store';
import type { FileKind, FileStat } from '@vault-mcp/shared/index-db/rows';
import type { IndexWriter } from '@vault-mcp/shared/index-db/writer';
import type { VaultPresence } from '@vault-mcp/shared/vault/presence';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { walkVault } from '@vault-mcp/shared/vault/walk';
import { VAULT_GONE } from '../sync/outage.ts';
import type { PathRules } from '../sync/path-rules.ts';

export interface ReconcileDeps {
  readonly vault: Vault;
  readonly presence: VaultPresence;
  readonly writer: IndexWriter;
  readonly rules: PathRules;
  /** Behaviour digests in force: rows of another one are stale. */
  readonly digests: Readonly<Record<FileKind, readonly string[]>>;
  /** Ends the reconcile early. */
  readonly signal: AbortSignal;
  /** Whether a file has no row, and needs none as long as it is as it is. */
  readonly isSettled: (path: string, stat: FileStat) => boolean;
  /** Takes a path whose row and file differ. */
  readonly met: (path: string) => void;
}

export interface ReconcileReport {
  readonly seen: number;
  readonly differing: number;
  readonly unreadable: { readonly path: string; readonly reason: string }[];
}

/** At most this many unreadable folders are remembered by name. */
const MAX_UNREADABLE = 20;

/**
 * @throws when the vault's root itself cannot be read: then nothing may be concluded from what is missing; the signal's
 * reason when it is aborted
 */
export async function reconcile(deps: ReconcileDeps): Promise<ReconcileReport> {
  const gone = storedByPath(deps.writer);
  const unreadable: { path: string; reason: string }[] = [];
  let seen = 0;
  let differing = 0;
  const differs = (path: string) => {
    differing++;
    deps.met(path);
  };
  const files = walkVault(deps.vault, {
    excludeDirs: deps.rules.excludeDirs,
    ignore: deps.rules.ignore,
    onProblem: (problem) => {
      if (problem.path === '') throw problem.error;
      if (unreadable.length < MAX_UNREADABLE) unreadable.push({ path: problem.path, reason: problem.reason });
    },
  });
  for await (const file of files) {
    deps.signal.throwIfAborted();
    seen++;
    const stored = gone.get(file.path);
    gone.delete(file.path);
    if (!stored && deps.isSettled(file.path, file.stat)) continue;
    if (!stored || !deps.digests[file.kind].includes(stored.digest) || !sameStat(stored.stat, file.stat))
      differs(file.path);
  }
  if (!(await deps.presence.isThere())) throw new Error(VAULT_GONE);
  // What is left was not met: removed, excluded now, or below a folder that cannot be read. The look at it will tell.
  for (const path of gone.keys()) differs(path);
  return { seen, differing, unreadable };
}

type Known = Pick<StoredFile, 'digest' | 'stat'>;

function storedByPath(writer: IndexWriter): Map<string, Known> {
  const stored = new Map<string, Known>();
  for (const { path, digest, stat } of writer.storedFiles()) stored.set(path, { digest, stat });
  return stored;
}

function sameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;
}
