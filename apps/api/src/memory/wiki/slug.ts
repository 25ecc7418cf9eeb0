/**
 * The file names of wiki pages: letters a to z, digits and hyphens, whatever script the title is in. Pure. Danger: two titles
 * may come to one name, so whoever makes a page looks first whether there is one.
 */
import { inLatin } from './latin.ts';

/** Characters of a name, so that the longest of them with a suffix fits every file system. */
const MAX_LENGTH = 60;

/**
 * Lower case; letters and digits of other scripts as they are written in Latin letters; each run of anything else one hyphen.
 *
 * @returns empty for a title without any letter or digit
 */
export function slugify(title: string): string {
  const hyphened = inLatin(title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return trimmed(trimmed(hyphened).slice(0, MAX_LENGTH));
}

function trimmed(slug: string): string {
  return slug.replace(/^-|-$/g, '');
}
