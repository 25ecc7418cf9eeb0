/**
 * Every file that a link can mean or that can hold links: notes, documents, attachments, excluded folders included,
 * since a link into one works. Danger: what is left out here is taken for missing, so what cannot be read is told.
 */
import { ignoredBy } from './indexed-paths.ts';
import type { FileKind, VaultPath } from './path.ts';
import type { Vault, VaultStat } from './vault.ts';
import { type WalkProblem, walkFolder } from './walk-folder.ts';

export type { WalkProblem } from './walk-folder.ts';

export interface LinkCandidate {
  readonly path: VaultPath;
  readonly kind: FileKind;
  readonly stat: VaultStat;
}

export interface LinkCandidateOptions {
  /** Globs on a file's name, without regard to case (`index.ignore`): copies that no link means. */
  readonly ignore: readonly string[];
  /** A file or folder whose files count whatever they are called. Default: none. */
  readonly always?: VaultPath;
  /** Told of each folder that cannot be read and each name that cannot be addressed; `path` is '' for the root. */
  onProblem(problem: WalkProblem): void;
}

/** No dotted names, no symbolic links. */
export async function* walkLinkCandidates(vault: Vault, options: LinkCandidateOptions): AsyncGenerator<LinkCandidate> {
  const isIgnored = ignoredBy(options.ignore);
  const { always } = options;
  const counts = (path: VaultPath) => always !== undefined && (path === always || path.startsWith(`${always}/`));
  const items = walkFolder(vault, '' as VaultPath, {
    enter: () => true,
    wants: (path) => counts(path) || !isIgnored(path),
    onProblem: options.onProblem,
  });
  for await (const { path, kind, stat } of items) if (kind !== 'folder') yield { path, kind, stat };
}
