/**
 * Finds one name in one folder, as the vault compares names: exact case, any normal form. Danger: folders can hold a
 * hundred thousand files, so a folder is read only when asking for the exact name has failed.
 */
import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { type Access, maySee } from './access.ts';
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
  for await (const { name: entry } of entries(folder, Number.POSITIVE_INFINITY)) {
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
  /** Of whoever asks: a hint names nothing that may not be read. */
  readonly access: Access;
}): Promise<AppError> {
  const segments = miss.path.split('/');
  const name = segments[miss.found.length] ?? '';
  const isLast = miss.found.length === segments.length - 1;
  const isVisible = ({ name: entry, isFolder }: NamedEntry): boolean =>
    maySee(miss.access, [...miss.found, entry].join('/'), isFolder);
  const meant = miss.hints ? await similarEntry(miss.absolute, name, isLast, isVisible) : null;
  const there = meant === null ? null : [...miss.found, meant, ...segments.slice(miss.found.length + 1)].join('/');
  if (meant === null || there === null) return nothingAt(miss.path);
  const advice =
    pathKey(meant) === pathKey(name)
      ? `There is "${shown(there)}": names are case-sensitive.`
      : `There is "${shown(there)}": write the suffix too.`;
  return nothingAt(miss.path, advice);
}

/** The one refusal of what is not there, so that what a caller may not see reads the same. */
export function nothingAt(path: string, advice = 'Look it up in the listing, or search for it.'): AppError {
  return new AppError('not_found', `There is nothing at "${shown(path)}". ${advice}`);
}

interface NamedEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** An entry that differs in case only, or the name with `.md`. */
async function similarEntry(
  folder: string,
  name: string,
  mayAddSuffix: boolean,
  isVisible: (entry: NamedEntry) => boolean,
): Promise<string | null> {
  const key = pathKey(name);
  const withSuffix = mayAddSuffix ? pathKey(`${name}.md`) : null;
  // A large folder is not looked through to its end.
  const exact = `${name}.md`;
  const there = mayAddSuffix ? await statOf(join(folder, exact)) : null;
  let suffixed = there !== null && isVisible({ name: exact, isFolder: there.isDirectory() }) ? exact : null;
  for await (const entry of entries(folder, MAX_HINT_ENTRIES)) {
    const entryKey = pathKey(entry.name);
    if (entryKey !== key && entryKey !== withSuffix) continue;
    if (!isVisible({ name: entry.name, isFolder: entry.isDirectory() })) continue;
    if (entryKey === key) return entry.name;
    suffixed ??= entry.name;
  }
  return suffixed;
}

/** What is in a folder, nothing when it is gone. */
async function* entries(folder: string, limit: number): AsyncGenerator<Dirent> {
  let seen = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      if (++seen > limit) return;
      yield entry;
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
