/**
 * Puts a file at a name only if nothing has that name. Danger: rename(2) replaces silently, so what must not replace
 * goes through here. All paths are `<opened folder>/<name>`, see open-leaf.ts.
 */
import { closeSync, constants, linkSync, lstatSync, openSync, renameSync, unlinkSync } from 'node:fs';

/** File systems without hard links, or a kernel that forbids them for this file, say one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']);

type HardLink = (from: string, to: string) => void;

/** How a file came to a name: it has both for the moment, or only the new one; `taken`: something stood there. */
export type Placement = 'linked' | 'renamed' | 'taken';

/**
 * Gives a file a second name unless something has that name, or where the file system knows no second names, another
 * one. Synchronous, so that whoever looked at the file just before knows which one it is.
 *
 * @param link hard link call; a parameter so that a file system without links can be tried
 * @throws the file system's error; nothing is changed then
 */
export function nameExclusively(from: string, to: string, link: HardLink = linkSync): Placement {
  try {
    link(from, to);
    return 'linked';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EEXIST') return 'taken';
    if (NO_LINKS.has(code)) return renameOverPlaceholder(from, to) ? 'renamed' : 'taken';
    throw error;
  }
}

/**
 * Puts a temporary file, which nobody else writes to, at a name unless something has that name.
 *
 * @returns false when something stands at `to`; nothing is changed then
 */
export function placeExclusively(temp: string, to: string, link: HardLink = linkSync): boolean {
  const placement = nameExclusively(temp, to, link);
  if (placement !== 'linked') return placement === 'renamed';
  try {
    unlinkSync(temp);
  } catch (error) {
    unlinkSync(to);
    throw error;
  }
  return true;
}

/** Without links: an empty file claims the name, so that of two callers one fails, and is then replaced. */
function renameOverPlaceholder(from: string, to: string): boolean {
  try {
    closeSync(openSync(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    renameSync(from, to);
  } catch (error) {
    // Only what is still the placeholder.
    if (lstatSync(to).size === 0) unlinkSync(to);
    throw error;
  }
  return true;
}
