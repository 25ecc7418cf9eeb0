/**
 * Gives a file or folder another name without ever replacing something, in another folder too. Danger: rename(2)
 * silently replaces files and empty folders; files therefore go by link (durable.ts), and folders are renamed only where
 * nothing, or at worst an empty folder of another program, can stand.
 */
import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { placeExclusively, syncFolder } from './durable.ts';
import { statOf } from './lookup.ts';
import type { OpenFolder } from './open-leaf.ts';
import { writeTempFile } from './temp-files.ts';

export interface Entry {
  readonly folder: OpenFolder;
  readonly name: string;
}

export interface MoveOptions {
  /** The uuid that a temp file carries, should one be needed. */
  readonly owner: string;
  /** The two names differ only by case or normal form, which some disks take for the same name. */
  readonly isSameName?: boolean;
  /** Complete a move that a crash cut short: a destination that is the very same file counts as moved. */
  readonly resume?: boolean;
}

/**
 * @returns false when something stands at the destination; nothing is changed then
 * @throws the file system's error; nothing is changed then either
 */
export async function moveEntry(from: Entry, to: Entry, options: MoveOptions): Promise<boolean> {
  const [source, destination] = [join(from.folder.path, from.name), join(to.folder.path, to.name)];
  const isFolder = (await lstat(source)).isDirectory();
  const moved = isFolder ? await moveFolder(source, destination, options) : await moveFile(from, to, options);
  if (!moved) return false;
  await syncFolder(to.folder.path);
  await syncFolder(from.folder.path);
  return true;
}

async function moveFolder(source: string, destination: string, options: MoveOptions): Promise<boolean> {
  const there = await statOf(destination);
  if (there !== null && !(options.isSameName && there.ino === (await lstat(source)).ino)) return false;
  try {
    await rename(source, destination);
    return true;
  } catch (error) {
    // Something came there since the look.
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

async function moveFile(from: Entry, to: Entry, options: MoveOptions): Promise<boolean> {
  const [source, destination] = [join(from.folder.path, from.name), join(to.folder.path, to.name)];
  try {
    if (await placeExclusively(source, destination)) return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    return copyAcross(source, destination, to.folder, options.owner);
  }
  if (!(options.isSameName || options.resume)) return false;
  const [old, there] = [await lstat(source), await statOf(destination)];
  if (there?.ino !== old.ino || there.dev !== old.dev) return false;
  if (options.isSameName && !(await areTwoEntries(from, to))) {
    await rename(source, destination);
    return true;
  }
  if (!options.resume) return false;
  await unlink(source);
  return true;
}

/**
 * Whether the folder lists both names: two entries of one file, which a crash between link and unlink leaves and rename(2)
 * would leave as they are; else they are one entry under two spellings.
 */
async function areTwoEntries(from: Entry, to: Entry): Promise<boolean> {
  const names = await readdir(from.folder.path);
  return names.includes(from.name) && names.includes(to.name);
}

/** To a folder on another file system: a durable copy first, then the source goes. */
async function copyAcross(source: string, destination: string, to: OpenFolder, owner: string): Promise<boolean> {
  const handle = await open(source, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  let temp: string | null = null;
  try {
    const stats = await handle.stat();
    temp = await writeTempFile(to, owner, handle.createReadStream({ autoClose: false }), stats);
    await utimes(temp, stats.atime, stats.mtime);
    if (!(await placeExclusively(temp, destination))) return false;
    temp = null;
    await syncFolder(to.path);
    await unlink(source);
    return true;
  } finally {
    await handle.close();
    if (temp !== null) await rm(temp, { force: true });
  }
}
