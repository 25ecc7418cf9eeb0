/**
 * Where the programs that this one starts look for theirs. Pure. Danger: what is found there is run on what strangers have
 * written, so a place that is relative, or not there yet, is no place: whoever may make it would choose the program.
 */
import { delimiter, isAbsolute } from 'node:path';

/** What a system has where nobody says otherwise. */
const DEFAULT_PLACES = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** Where package managers put programs: a service's PATH, and that of a program with a window, often lacks them. */
const PACKAGE_PLACES = ['/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin'];

/**
 * @param own PATH as this program was given it
 * @param isFolder whether there is a folder at an absolute path
 * @returns a PATH: its folders in their order, or the system's where it names none; then those of package managers
 */
export function searchPath(own = '', isFolder: (path: string) => boolean = () => false): string {
  const named = own.split(delimiter).filter((place) => isAbsolute(place) && isFolder(place));
  return [...new Set([...(named.length > 0 ? named : DEFAULT_PLACES), ...PACKAGE_PLACES])].join(delimiter);
}
