/**
 * Walks all notes and documents of the vault, for the indexer. Danger: what this leaves out is taken for deleted, so
 * a folder that cannot be read is reported and never passes silently.
 */
import picomatch from 'picomatch';
import { nameOf, pathKey, type VaultPath } from './path.ts';
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
  const isIgnored = picomatch([...options.ignore], { nocase: true, dot: true });
  const { onProblem } = options;
  const items = walkFolder(vault, '' as VaultPath, {
    enter: (path) => !isExcluded(path),
    wants: (path, kind) => kind !== 'attachment' && !isExcluded(path) && !isIgnored(nameOf(path)),
    ...(onProblem && { onProblem }),
  });
  for await (const { path, kind, stat } of items) {
    if (kind === 'note' || kind === 'document') yield { path, kind, stat };
  }
}

/**
 * Whether a path is one of these, or lies below one: root-relative, whole segments, whatever the case. A note can be
 * named as well as a folder.
 */
export function excludedBy(excludeDirs: readonly string[]): (path: string) => boolean {
  const excluded = excludeDirs.map((dir) => pathKey(dir.replace(/^\/+|\/+$/g, ''))).filter((dir) => dir !== '');
  return (path) => {
    const key = pathKey(path);
    return excluded.some((dir) => key === dir || key.startsWith(`${dir}/`));
  };
}
