/**
 * Takes a name away from a file, but only from the one that is meant. Danger: other programs save by renaming a new
 * version over the old one, at any instant, and unlink(2) removes whatever stands at the name by then. So the name is
 * looked at, the entry gets a private name that nobody saves to, and is removed there only if it is still the one that
 * was looked at; else it goes back. All in one turn of the event loop, so that a crash has microseconds to fall in, in
 * which it could cost no more than unlink would.
 */
import { linkSync, lstatSync, renameSync, type Stats, unlinkSync } from 'node:fs';
import { nameExclusively } from './durable.ts';

/** The calls that this takes; a parameter so that tests can have another program act in between. */
export interface NameCalls {
  lstatSync(path: string): Stats;
  linkSync(from: string, to: string): void;
  renameSync(from: string, to: string): void;
  unlinkSync(path: string): void;
}

export const nameCalls: NameCalls = { lstatSync, linkSync, renameSync, unlinkSync };

/** What a full disk or a short limit on names can say of the private name: it must still be possible to delete there. */
const NO_PRIVATE_NAME = new Set(['ENOSPC', 'EDQUOT', 'ENAMETOOLONG']);

/**
 * @param leaf the name, as a path below an open folder
 * @param aside a name beside it that nobody else knows (tempName)
 * @param isMeant tells the file by its stat; asked of both names, and a rename changes the ctime
 * @returns false when another file stands there, which is left there
 * @throws the file system's error; nothing is changed then
 */
export function takeAway(
  leaf: string,
  aside: string,
  isMeant: (now: Stats) => boolean,
  calls: NameCalls = nameCalls,
): boolean {
  if (!isMeant(calls.lstatSync(leaf))) return false;
  try {
    calls.renameSync(leaf, aside);
  } catch (error) {
    if (!NO_PRIVATE_NAME.has(codeOf(error))) throw error;
    calls.unlinkSync(leaf);
    return true;
  }
  if (!isMeant(calls.lstatSync(aside))) {
    putBack(aside, leaf, calls);
    return false;
  }
  try {
    calls.unlinkSync(aside);
  } catch (error) {
    putBack(aside, leaf, calls);
    throw error;
  }
  return true;
}

/** Where the name has been given to a still newer version meanwhile, that save has replaced this one. */
function putBack(aside: string, leaf: string, calls: NameCalls): void {
  if (nameExclusively(aside, leaf, calls.linkSync) !== 'renamed') calls.unlinkSync(aside);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
