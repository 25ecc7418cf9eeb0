/**
 * The vault's rule of which paths the index holds, with the settings in force: what the indexer's parts are given. Pure.
 */
import { indexedPaths } from '@vault-mcp/shared/vault/indexed-paths';
import { fileKindOf } from '@vault-mcp/shared/vault/path';

export type PathKind = 'note' | 'document' | 'attachment' | 'folder';

export interface PathRules {
  readonly excludeDirs: readonly string[];
  readonly ignore: readonly string[];
  kindOf(path: string): 'note' | 'document' | 'attachment';
  /** Whether a file of this kind at this path belongs into the index. */
  indexes(path: string, kind: PathKind): boolean;
}

/**
 * @param options.excludeDirs root-relative folders, compared case-insensitively by whole segments
 * @param options.ignore globs matched against the file's name
 */
export function createPathRules(options: {
  docSuffixes: readonly string[];
  excludeDirs: readonly string[];
  ignore: readonly string[];
}): PathRules {
  const isIndexed = indexedPaths(options);
  return {
    excludeDirs: options.excludeDirs,
    ignore: options.ignore,
    kindOf: (path) => fileKindOf(path, options.docSuffixes),
    // What is found at the path decides too: a folder may be called `Folder.md`.
    indexes: (path, kind) => (kind === 'note' || kind === 'document') && isIndexed(path),
  };
}
