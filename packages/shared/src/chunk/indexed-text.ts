/**
 * What a chunk is found under by its words: the names of its file, its breadcrumb and its text; a note's first one by what its
 * properties say too. Pure. Danger: whoever works out ranks without the index has to count the same words, so indexer and api both
 * take them from here.
 */
import { basename, extname } from 'node:path/posix';

/** @returns the file's name without folder and suffix; the whole name of one that is all suffix, as ".md" */
export function fileStem(path: string): string {
  return basename(path, extname(path));
}

/** People ask for a file by its name too, whatever its title says. @param stem of `fileStem` */
export function namesOf(title: string, stem: string): string {
  return stem === title ? title : `${title}\n${stem}`;
}

/**
 * @param names of `namesOf`
 * @param properties of `propertyWords`: they stand in a note's first chunk alone, or a note of many chunks would be found by all
 */
export function indexedText(
  names: string,
  { breadcrumb, text }: { readonly breadcrumb: string; readonly text: string },
  properties = '',
): string {
  const own = `${names}\n${breadcrumb}\n${text}`;
  return properties === '' ? own : `${own}\n${properties}`;
}
