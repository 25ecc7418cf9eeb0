/**
 * Whether a program runs as the machine's own root, and what to say of it. It is not refused: root in a container without
 * privileges of its own (rootless Docker, Podman, remapped users) is the person who started it, and the right one there.
 * Danger: what root writes, nobody else may change afterwards, and that shows only when somebody tries.
 */
import { readFile } from 'node:fs/promises';

/** Of a process: which users of the machine those are that it sees. Linux alone has it. */
const USER_MAP = '/proc/self/uid_map';

/** @returns what to warn of at the start, or null */
export async function rootWarning(): Promise<string | null> {
  const map = await readFile(USER_MAP, 'utf8').catch(() => null);
  return isMachineRoot(process.getuid?.(), map) ? WARNING : null;
}

export const WARNING =
  'running as root: new notes and all data will belong to root, and programs of other users cannot change them. Run it as ' +
  'the owner of the notes instead (with Docker: PUID and PGID)';

/**
 * @param uid undefined where there are no such users
 * @param map lines of `inside outside count`; null where there is none, and users are what they seem
 */
export function isMachineRoot(uid: number | undefined, map: string | null): boolean {
  if (uid !== 0) return false;
  const ranges = (map ?? '')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const own = ranges.find(([inside]) => inside === 0);
  return own?.[1] === undefined || own[1] === 0;
}
