/**
 * Which paths the index holds. Pure. Danger: the indexer and whoever tells a caller that a path is not indexed must
 * mean the same paths.
 */
import picomatch from 'picomatch';
import { fileKindOf, isDotted, nameOf } from './path.ts';
import { excludedBy } from './walk.ts';

/**
 * @param options.excludeDirs root-relative folders, compared by whole segments, whatever the case
 * @param options.ignore globs on a file's name, whatever the case
 * @returns whether a file at a path belongs into the index
 */
export function indexedPaths(options: {
  readonly docSuffixes: readonly string[];
  readonly excludeDirs: readonly string[];
  readonly ignore: readonly string[];
}): (path: string) => boolean {
  const isExcluded = excludedBy(options.excludeDirs);
  const isIgnored = ignoredBy(options.ignore);
  return (path) =>
    fileKindOf(path, options.docSuffixes) !== 'attachment' && !isDotted(path) && !isIgnored(path) && !isExcluded(path);
}

/** Whether a file's name matches one of these globs: such a file is neither indexed nor what a link may mean. */
export function ignoredBy(ignore: readonly string[]): (path: string) => boolean {
  const matches = picomatch([...ignore], { nocase: true, dot: true });
  return (path) => matches(nameOf(path));
}
