/**
 * A folder with its index, changed by other programs from one quiet moment to the next: what mending links stands on.
 * Danger: a test sees only what it has synced, as the watcher would.
 */
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Mending, mendFile } from '@vault-mcp/shared/link-repair/mend-file';
import type { RepairKind } from '@vault-mcp/shared/link-repair/repair-judge';
import { type ConcernedFile, surveyRepairs } from '@vault-mcp/shared/link-repair/survey';
import { silentLogger } from '@vault-mcp/shared/log';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import { type SyncedVault, syncedVault } from './synced-vault.ts';

/** A text to write, null to delete, or where to move the file or folder from. */
export type OutsideChanges = Readonly<Record<string, string | null | { readonly from: string }>>;

export interface RenamedVault {
  readonly vault: SyncedVault;
  readonly root: string;
  /** Changes files and brings the index up to date, all within one pass. */
  pass(changes: OutsideChanges): Promise<void>;
  /** The same without the index, as right before the watcher tells. */
  outside(changes: OutsideChanges): string[];
  survey(): Promise<ConcernedFile[]>;
  /** Mends, and brings the index up to date. */
  mend(...kinds: RepairKind[]): Promise<Record<string, Mending>>;
  /** The links that mending leaves, of all files: path, line and reason. */
  left(): Promise<string[]>;
  read(path: string): string;
  close(): Promise<void>;
}

export async function renamedVault(): Promise<RenamedVault> {
  const vault = await syncedVault();
  const root = join(vault.folder.path, 'vault');
  const locks: PathLocks = await openPathLocks(join(vault.folder.path, 'data'), { logger: silentLogger() });
  const writer = createVaultWriter(vault.deps.vault, { locks, noteMaxBytes: 0 });
  const outside = (changes: OutsideChanges): string[] => {
    const touched: string[] = [];
    for (const [path, change] of Object.entries(changes)) {
      touched.push(path);
      if (change === null) rmSync(join(root, path), { recursive: true });
      else if (typeof change === 'string') vault.put(path, change);
      else {
        touched.push(change.from, ...vault.writer.storedBelow(change.from));
        touched.push(...vault.writer.storedBelow(change.from).map((file) => path + file.slice(change.from.length)));
        mkdirSync(dirname(join(root, path)), { recursive: true });
        renameSync(join(root, change.from), join(root, path));
      }
    }
    return touched;
  };
  const survey = () =>
    surveyRepairs({
      ...{ vault: vault.deps.vault, reader: vault.reader, ignore: [], excludeDirs: [] },
      onProblem: ({ path, error }) => {
        throw new Error(`could not look at ${path}`, { cause: error });
      },
    });
  const mend = async (...kinds: RepairKind[]) => {
    const mended: Record<string, Mending> = {};
    for (const file of await survey()) {
      const { etag, ...mending } = await mendFile(writer, file, new Set(kinds));
      mended[file.path] = mending;
      vault.writer.passes.expectOwn(file.path, etag);
    }
    for (const path of Object.keys(mended)) await vault.sync.syncPath(path);
    return mended;
  };
  return {
    ...{ vault, root, outside, survey, mend },
    async pass(changes) {
      for (const path of outside(changes)) await vault.sync.syncPath(path);
      vault.writer.passes.close();
    },
    async left() {
      const mended = await mend('qualify', 'rename');
      return Object.entries(mended).flatMap(([path, mending]) =>
        mending.left.map(({ line, reason }) => `${path}:${line} ${reason}`),
      );
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    async close() {
      locks.close();
      await vault.close();
    },
  };
}
