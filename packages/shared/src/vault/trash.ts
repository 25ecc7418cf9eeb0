/**
 * The vault's trash: `.trash` at the root, where a deleted file or folder keeps its path. Danger: it must never replace
 * what was deleted earlier, so a name that is taken gets a number.
 */
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { statOf } from './lookup.ts';
import { openFolderMaking, unmakeFolders } from './make-folder.ts';
import { type Entry, type MoveOptions, moveEntry } from './move-entry.ts';
import type { OpenFolder } from './open-leaf.ts';
import { shown, type VaultPath } from './path.ts';
import type { Vault } from './vault.ts';
import { MAX_NAME_BYTES } from './write-rules.ts';

const TRASH_FOLDER = '.trash';

/** Names tried before giving up: somebody would have deleted the same path that often without emptying the trash. */
const MAX_NAMES = 10_000;

/**
 * Moves something into the trash.
 *
 * @param path what it was called in the vault
 * @param from where it is now
 * @returns where it is in the trash, from the vault's root; null when it is another version by now, which stays
 * @throws the file system's error, AppError `invalid_path` when `.trash` is no plain folder
 */
export async function moveToTrash(
  vault: Vault,
  path: VaultPath,
  from: Entry,
  options: Pick<MoveOptions, 'locks' | 'seen'>,
): Promise<string | null> {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
  const made: VaultPath[] = [];
  let place: string | null = null;
  try {
    const { folder, path: folderPath } = await openTrashFolder(vault, segments, made);
    try {
      place = await placeIn(folder, folderPath, name, from, options);
    } finally {
      await folder.close();
    }
  } finally {
    if (place === null) await unmakeFolders(vault, made);
  }
  return place;
}

async function placeIn(
  folder: OpenFolder,
  folderPath: string,
  name: string,
  from: Entry,
  options: Pick<MoveOptions, 'locks' | 'seen'>,
): Promise<string | null> {
  for (const candidate of numberedNames(name)) {
    const outcome = await moveEntry(from, { folder, name: candidate }, options);
    if (outcome === 'changed') return null;
    if (outcome === 'moved') return `${folderPath}/${candidate}`;
  }
  throw full(`${folderPath}/${name}`);
}

/**
 * The trash's folder for a path; where an earlier file has a folder's name, that gets a number too.
 *
 * @param made is told of each folder that was not there before, outermost first
 */
async function openTrashFolder(
  vault: Vault,
  segments: readonly string[],
  made: VaultPath[],
): Promise<{ folder: OpenFolder; path: string }> {
  // A dotted path that no caller could have named: this is the one place that makes it.
  let path = TRASH_FOLDER as VaultPath;
  const top = await openFolderMaking(vault, path).catch(refuseOddTrash);
  made.push(...top.made);
  let { folder } = top;
  for (const segment of segments) {
    let name: string;
    try {
      name = await nameForFolder(folder, segment, path);
    } finally {
      await folder.close();
    }
    path = `${path}/${name}` as VaultPath;
    const next = await openFolderMaking(vault, path);
    made.push(...next.made);
    folder = next.folder;
  }
  return { folder, path };
}

function refuseOddTrash(error: unknown): never {
  if (!['ENOTDIR', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  const message = `"${TRASH_FOLDER}" in the vault is no plain folder, so nothing is moved there: remove it, or delete for good.`;
  throw new AppError('invalid_path', message, { cause: error });
}

async function nameForFolder(folder: OpenFolder, name: string, path: VaultPath): Promise<string> {
  for (const candidate of numberedNames(name)) {
    const there = await statOf(join(folder.path, candidate));
    if (there === null || there.isDirectory()) return candidate;
  }
  throw full(path);
}

/** `Note.md`, `Note-2.md`, `Note-3.md`, …, shortened where the number would make them too long. */
export function* numberedNames(name: string): Generator<string> {
  yield name;
  const dot = name.lastIndexOf('.');
  const [stem, suffix] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 2; number <= MAX_NAMES; number++) {
    const end = `-${number}${suffix}`;
    yield cutToBytes(stem, MAX_NAME_BYTES - Buffer.byteLength(end)) + end;
  }
}

function cutToBytes(text: string, bytes: number): string {
  let cut = '';
  let length = 0;
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) return cut;
    cut += character;
  }
  return cut;
}

function full(path: string): AppError {
  return new AppError(
    'already_exists',
    `The trash holds too many versions of "${shown(path)}". Nothing was changed: empty "${TRASH_FOLDER}" and try again.`,
  );
}
