/**
 * Walks all notes and documents of the vault, for the indexer. Danger: what this leaves out is taken for deleted, so
 * a folder that cannot be read is reported and never passes silently.
 */
import { excludedBy, ignoredBy } from './indexed-paths.ts';
import type { VaultPath } from './path.ts';
import type { Vault, VaultStat } from './vault.ts';
import { type WalkProblem, walkFolder } from './walk-folder.ts';

export type { WalkProblem } from './walk-folder.ts';

export interface WalkedFile {
  readonly path: VaultPath;
  readonly kind: 'note' | 'document';
  readonly stat: VaultStat;
}

export interface WalkOptions {
  /** Root-relative folders (or files) to leave out: whole segments, without regard to case. */
  readonly excludeDirs: readonly string[];
  /** Globs on a file's name, without regard to case. */
  readonly ignore: readonly string[];
  /** Told of each folder that cannot be read and each name that cannot be addressed; `path` is '' for the root. */
  onProblem?(problem: WalkProblem): void;
}

/** Every note and document: no dotted names, no symbolic links, nothing excluded or ignored. */
export async function* walkVault(vault: Vault, options: WalkOptions): AsyncGenerator<WalkedFile> {
  const isExcluded = excludedBy(options.excludeDirs);
  const isIgnored = ignoredBy(options.ignore);
  const { onProblem } = options;
  const items = walkFolder(vault, '' as VaultPath, {
    enter: (path) => !isExcluded(path),
    wants: (path, kind) => kind !== 'attachment' && !isExcluded(path) && !isIgnored(path),
    ...(onProblem && { onProblem }),
  });
  for await (const { path, kind, stat } of items) {
    if (kind === 'note' || kind === 'document') yield { path, kind, stat };
  }
}
