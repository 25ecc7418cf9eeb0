/**
 * Which paths the index holds. Pure. Danger: walk, watcher, jobs and whoever tells a caller that a path is not indexed
 * must all ask here, or a folder left out of one comes back through another.
 */
import picomatch from 'picomatch';
import { fileKindOf, isDotted, nameOf, pathKey, withoutOuterSlashes } from './path.ts';

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

/**
 * Whether a path is one of these, or lies below one: root-relative, whole segments, whatever the case. A note can be
 * named as well as a folder.
 */
export function excludedBy(excludeDirs: readonly string[]): (path: string) => boolean {
  const excluded = excludeDirs.map((dir) => pathKey(withoutOuterSlashes(dir))).filter((dir) => dir !== '');
  return (path) => {
    const key = pathKey(path);
    return excluded.some((dir) => key === dir || key.startsWith(`${dir}/`));
  };
}
