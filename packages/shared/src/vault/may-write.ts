/**
 * Whether this process could change a file or folder, now or once it has given itself the right to. Danger: permissions
 * are its owner's to change, so they keep nobody out whom the file belongs to; only what is mounted read-only does. Where
 * it cannot be told, the answer is that it could.
 */
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Linux's capability to act as the owner of every file; a bit of `CapEff`. */
const CAP_FOWNER = 1n << 3n;

/** @throws never */
export async function mayWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return false;
    if (code !== 'EACCES' && code !== 'EPERM') return true;
    return (await mayChangeMode(path)) && !(await isReadOnlyMount(path));
  }
}

async function mayChangeMode(path: string): Promise<boolean> {
  try {
    const user = process.geteuid?.();
    return user === undefined || (await stat(path)).uid === user || (await actsForAll(user));
  } catch {
    return true;
  }
}

async function actsForAll(user: number): Promise<boolean> {
  if (process.platform !== 'linux') return user === 0;
  const [, held] = /^CapEff:\s*([0-9a-f]+)$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return held === undefined || (BigInt(`0x${held}`) & CAP_FOWNER) !== 0n;
}

/** What is mounted cannot be renamed or removed. A folder that is mounted from the same disk shows in Linux's table alone. */
export async function isMountPoint(folder: string): Promise<boolean> {
  try {
    if ((await stat(folder)).dev !== (await stat(dirname(folder))).dev) return true;
    return (await mounts()).some(({ at }) => at === folder);
  } catch {
    return false;
  }
}

/** Of the mount that a path lies on: the innermost, and of several at one place the last. */
async function isReadOnlyMount(path: string): Promise<boolean> {
  try {
    const around = (await mounts()).filter(({ at }) => at === '/' || at === path || path.startsWith(`${at}/`));
    const inner = Math.max(...around.map(({ at }) => at.length));
    return around.findLast(({ at }) => at.length === inner)?.isReadOnly === true;
  } catch {
    return false;
  }
}

/** Linux's table; elsewhere there is none, and it throws. */
async function mounts(): Promise<{ readonly at: string; readonly isReadOnly: boolean }[]> {
  const table = await readFile('/proc/self/mountinfo', 'utf8');
  return table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const fields = line.split(' ');
      // What the mount allows, and what the file system on it does.
      const options = `${fields[5] ?? ''},${fields.at(-1) ?? ''}`.split(',');
      return { at: unescaped(fields[4] ?? ''), isReadOnly: options.includes('ro') };
    });
}

/** Blanks, tabs, line breaks and backslashes stand there as three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
