/**
 * Which paths the index holds. Pure. Danger: watcher, reconcile and jobs must all ask here, or a folder left out of one
 * comes back through another.
 */
import { fileKindOf, isDotted } from '@vault-mcp/shared/vault/path';
import { excludedBy } from '@vault-mcp/shared/vault/walk';
import picomatch from 'picomatch';

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
  const isExcluded = excludedBy(options.excludeDirs);
  const isIgnored = picomatch([...options.ignore], { nocase: true, dot: true });
  return {
    excludeDirs: options.excludeDirs,
    ignore: options.ignore,
    kindOf: (path) => fileKindOf(path, options.docSuffixes),
    indexes(path, kind) {
      if (kind !== 'note' && kind !== 'document') return false;
      if (isDotted(path) || isIgnored(path.slice(path.lastIndexOf('/') + 1))) return false;
      return !isExcluded(path);
    },
  };
}
