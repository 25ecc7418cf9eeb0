/**
 * Where a path really leads, also one that is not there yet. Danger: two paths can only be compared, the one within the
 * other, when both are spelled like this; a link in either would hide it.
 */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * @param path of a file or folder that may be missing, or hidden from this user
 * @returns absolute; every link resolved as far as there is something, the rest as it is written
 */
export async function realPlace(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(await realPlace(parent), basename(absolute));
  }
}

/** Whether a place is a folder or stands in it. @param folder, @param place as realPlace spells them */
export function isWithin(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
