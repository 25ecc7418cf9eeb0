/**
 * Gives a file or folder another name without ever replacing something, in another folder too. Danger: rename(2)
 * silently replaces files and empty folders, and the system call that would not (renameat2 with RENAME_NOREPLACE) is
 * not to be had from Node. So a file is given its new name by a hard link, which fails where something stands, and then
 * loses the old one; a save by another program may come between, so only the very file that was linked loses its name
 * (take-away.ts). Look and change are made in one turn of the event loop throughout.
 */
import { constants, lstatSync, readdirSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { lstat, open, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { nameExclusively, placeExclusively } from './durable.ts';
import { isVersion } from './file-version.ts';
import { type LockOwnership, refuseWhenClosed } from './lock.ts';
import type { OpenFolder } from './open-leaf.ts';
import { syncFolder } from './sync-folder.ts';
import { type NameCalls, nameCalls, takeAway } from './take-away.ts';
import { tempName, writeTempFile } from './temp-files.ts';
import type { VaultStat } from './vault.ts';

export interface Entry {
  readonly folder: OpenFolder;
  readonly name: string;
}

export interface MoveOptions {
  readonly locks: LockOwnership;
  /** The version of a file that is meant; another one is not moved. Null: whatever stands there. */
  readonly seen: VaultStat | null;
  /** The two names differ only by case or normal form, which some disks take for the same name. */
  readonly isSameName?: boolean;
  /** Complete a move that a crash cut short: a destination that is the very same file counts as moved. */
  readonly resume?: boolean;
  /** The calls that change names; tests have another program act in between. */
  readonly calls?: NameCalls;
}

/** `taken`: something stands at the destination. `changed`: another program has put another version at the source. */
export type MoveOutcome = 'moved' | 'taken' | 'changed';

/**
 * @returns when it is not `moved`, nothing is changed
 * @throws the file system's error, AppError `locked` when the server is stopping; nothing is changed then either
 */
export async function moveEntry(from: Entry, to: Entry, options: MoveOptions): Promise<MoveOutcome> {
  const source = join(from.folder.path, from.name);
  const isFolder = (await lstat(source)).isDirectory();
  const outcome = isFolder ? moveFolder(from, to, options) : await moveFile(from, to, options);
  if (outcome !== 'moved') return outcome;
  await syncFolder(to.folder.path);
  await syncFolder(from.folder.path);
  return outcome;
}

function moveFolder(from: Entry, to: Entry, { locks, isSameName }: MoveOptions): MoveOutcome {
  const [source, destination] = [join(from.folder.path, from.name), join(to.folder.path, to.name)];
  refuseWhenClosed(locks);
  const there = statNow(destination);
  if (there !== null && !(isSameName && there.ino === lstatSync(source).ino)) return 'taken';
  try {
    renameSync(source, destination);
    return 'moved';
  } catch (error) {
    // Something came there since the look.
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'taken';
    throw error;
  }
}

async function moveFile(from: Entry, to: Entry, options: MoveOptions): Promise<MoveOutcome> {
  try {
    return moveAtOnce(from, to, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    return copyAcross(from, to, options);
  }
}

function moveAtOnce(from: Entry, to: Entry, options: MoveOptions): MoveOutcome {
  const [source, destination] = [join(from.folder.path, from.name), join(to.folder.path, to.name)];
  const { locks, seen, calls = nameCalls } = options;
  refuseWhenClosed(locks);
  const old = calls.lstatSync(source);
  if (seen !== null && !isVersion(old, seen)) return 'changed';
  const placement = nameExclusively(source, destination, calls.linkSync);
  if (placement === 'renamed') return 'moved';
  if (placement === 'taken') return moveOntoItself(from, to, options, old);
  const linked = calls.lstatSync(destination);
  const isLinked = (now: Stats) => isSameFile(now, old);
  let taken = false;
  try {
    taken = takeAway(source, join(from.folder.path, tempName(locks.owner)), isLinked, calls);
  } catch (error) {
    // Gone, which is what was wanted: the linked one is the only one left.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') taken = true;
    else throw error;
  } finally {
    if (!taken) unlinkIf(destination, (now) => isSameFile(now, linked));
  }
  return taken ? 'moved' : 'changed';
}

/** What stands at the destination may be the same file: under another spelling, or since a crash cut the move short. */
function moveOntoItself(from: Entry, to: Entry, options: MoveOptions, old: Stats): MoveOutcome {
  const { isSameName, resume, locks, calls = nameCalls } = options;
  const [source, destination] = [join(from.folder.path, from.name), join(to.folder.path, to.name)];
  const there = statNow(destination);
  if (!(isSameName || resume) || there === null || !isSameFile(there, old)) return 'taken';
  if (isSameName && !areTwoEntries(from, to)) {
    renameSync(source, destination);
    return 'moved';
  }
  if (!resume) return 'taken';
  const aside = join(from.folder.path, tempName(locks.owner));
  return takeAway(source, aside, (now) => isSameFile(now, there), calls) ? 'moved' : 'changed';
}

/**
 * Whether the folder lists both names: two entries of one file, which a crash between link and unlink leaves and rename(2)
 * would leave as they are; else they are one entry under two spellings.
 */
function areTwoEntries(from: Entry, to: Entry): boolean {
  const names = readdirSync(from.folder.path);
  return names.includes(from.name) && names.includes(to.name);
}

/**
 * To a folder on another file system: a durable copy first, then the source goes, if it is still what was copied; else
 * the copy goes.
 */
async function copyAcross(from: Entry, to: Entry, options: MoveOptions): Promise<MoveOutcome> {
  const { locks, seen, calls = nameCalls } = options;
  const [source, destination] = [join(from.folder.path, from.name), join(to.folder.path, to.name)];
  const handle = await open(source, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  let temp: string | null = null;
  try {
    const copied = await handle.stat();
    if (seen !== null && !isVersion(copied, seen)) return 'changed';
    temp = await writeTempFile(to.folder, locks.owner, handle.createReadStream({ autoClose: false }), copied);
    await utimes(temp, copied.atime, copied.mtime);
    refuseWhenClosed(locks);
    if (!placeExclusively(temp, destination)) return 'taken';
    temp = null;
    const copy = lstatSync(destination);
    let taken = false;
    try {
      await syncFolder(to.folder.path);
      const aside = join(from.folder.path, tempName(locks.owner));
      taken = takeAway(source, aside, (now) => isSameVersion(now, copied), calls);
      return taken ? 'moved' : 'changed';
    } finally {
      if (!taken) unlinkIf(destination, (now) => isSameVersion(now, copy));
    }
  } finally {
    await handle.close();
    if (temp !== null) await rm(temp, { force: true });
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Without the ctime, which a rename changes. */
function isSameVersion(one: Stats, other: Stats): boolean {
  return isSameFile(one, other) && one.size === other.size && one.mtimeMs === other.mtimeMs;
}

/** Takes back what was put at a destination, unless somebody has put something else there since. */
function unlinkIf(path: string, isOurs: (now: Stats) => boolean): void {
  const there = statNow(path);
  if (there !== null && isOurs(there)) unlinkSync(path);
}

function statNow(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
