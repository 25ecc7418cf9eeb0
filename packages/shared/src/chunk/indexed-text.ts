/**
 * What a chunk is found under by its words: the names of its file, its breadcrumb and its text. Pure. Danger: whoever works out
 * ranks without the index has to count the same words, so indexer and api both take them from here.
 */

/** People ask for a file by its name too, whatever its title says. */
export function namesOf(title: string, fileStem: string): string {
  return fileStem === title ? title : `${title}\n${fileStem}`;
}

/** @param names of `namesOf` */
export function indexedText(
  names: string,
  { breadcrumb, text }: { readonly breadcrumb: string; readonly text: string },
): string {
  return `${names}\n${breadcrumb}\n${text}`;
}
