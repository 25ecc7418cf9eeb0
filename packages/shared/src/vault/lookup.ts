/**
 * Finds one name in one folder, as the vault compares names: exact case, any normal form. Danger: folders can hold a
 * hundred thousand files, so a folder is read only when asking for the exact name has failed.
 */
import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { pathKey, shown } from './path.ts';

/** Entries looked through for what a caller may have meant. */
const MAX_HINT_ENTRIES = 5000;

export interface Component {
  /** As it is spelled on disk. */
  readonly name: string;
  readonly stats: Stats;
}

/** lstat, or null when there is nothing. @throws AppError `unreadable` without permission, `invalid_path` for a name too long */
export async function statOf(absolute: string): Promise<Stats | null> {
  try {
    return await lstat(absolute);
  } catch (error) {
    return rethrowUnlessMissing(error);
  }
}

/** The entry of a folder that a name means, or null. */
export async function findComponent(folder: string, name: string, caseSensitive: boolean): Promise<Component | null> {
  const exact = await statOf(join(folder, name));
  if (exact !== null && caseSensitive) return { name, stats: exact };
  if (exact === null && isAscii(name)) return null;
  const wanted = name.normalize('NFC');
  let other: string | null = null;
  for await (const entry of entryNames(folder, Number.POSITIVE_INFINITY)) {
    if (entry === name && exact !== null) return { name, stats: exact };
    if (entry.normalize('NFC') === wanted) other ??= entry;
  }
  const stats = other === null ? null : await statOf(join(folder, other));
  return other === null || stats === null ? null : { name: other, stats };
}

/** The error for a path whose next component is not there, naming what the caller may have meant. */
export async function missingComponent(miss: {
  /** The last folder that is there, on disk and as segments. */
  readonly absolute: string;
  readonly found: readonly string[];
  readonly path: string;
  readonly hints: boolean;
}): Promise<AppError> {
  const segments = miss.path.split('/');
  const name = segments[miss.found.length] ?? '';
  const isLast = miss.found.length === segments.length - 1;
  const meant = miss.hints ? await similarEntry(miss.absolute, name, isLast) : null;
  const there = meant === null ? null : [...miss.found, meant, ...segments.slice(miss.found.length + 1)].join('/');
  const advice =
    meant === null || there === null
      ? 'Look it up in the listing, or search for it.'
      : pathKey(meant) === pathKey(name)
        ? `There is "${shown(there)}": names are case-sensitive.`
        : `There is "${shown(there)}": write the suffix too.`;
  return new AppError('not_found', `There is nothing at "${shown(miss.path)}". ${advice}`);
}

/** An entry that differs in case only, or the name with `.md`. */
async function similarEntry(folder: string, name: string, mayAddSuffix: boolean): Promise<string | null> {
  const key = pathKey(name);
  const withSuffix = mayAddSuffix ? pathKey(`${name}.md`) : null;
  // A large folder is not looked through to its end.
  const exact = `${name}.md`;
  let suffixed = mayAddSuffix && (await statOf(join(folder, exact))) !== null ? exact : null;
  for await (const entry of entryNames(folder, MAX_HINT_ENTRIES)) {
    const entryKey = pathKey(entry);
    if (entryKey === key) return entry;
    if (entryKey === withSuffix) suffixed ??= entry;
  }
  return suffixed;
}

/** Names in a folder, none when it is gone or may not be read. */
async function* entryNames(folder: string, limit: number): AsyncGenerator<string> {
  let seen = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      if (++seen > limit) return;
      yield entry.name;
    }
  } catch (error) {
    rethrowUnlessMissing(error);
  }
}

/** Null when an error says that there is nothing; else throws what a caller may be told. */
function rethrowUnlessMissing(error: unknown): null {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  if (code === 'ENAMETOOLONG')
    throw new AppError(
      'invalid_path',
      'A name in the path, or all of it, is longer than the file system allows (255 bytes for a name): use a shorter one.',
      { cause: error },
    );
  if (code === 'EACCES' || code === 'EPERM') {
    throw new AppError('unreadable', 'The server has no permission to read that path: grant it read access.', {
      cause: error,
    });
  }
  throw error;
}

function isAscii(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text);
}
