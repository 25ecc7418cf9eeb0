/**
 * The folder of a vault's own scripts, `.scripts`: what stands in it, whether this process could change it, whether
 * somebody did. Danger: whoever can change what stands here decides what is run, so links are never followed, and where
 * it is not certain that nothing can be written, it counts as writable.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { isMountPoint, mayWrite } from './may-write.ts';
import { hasControlCharacter } from './path.ts';
import type { Vault } from './vault.ts';

export const SCRIPTS_FOLDER = '.scripts';

export interface ScriptFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly absolute: string;
  readonly language: 'python' | 'node';
}

export interface ScriptsFolder {
  /** Why there are none to run, as a clause; null when they may be listed. */
  readonly problem: string | null;
  /** Whether that is because there is no such folder. */
  readonly isAbsent: boolean;
  /** By name. What stands in folders within, or begins with `.` or `_`, is for scripts to use, and none itself. */
  readonly scripts: readonly ScriptFile[];
  /** Names that would be scripts, and why they are not. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

/** Entries looked at, in all folders. More than anybody keeps; beyond that nothing is said to be certain. */
const MAX_ENTRIES = 5_000;
/** By suffix. A map, since a name such as `constructor` is found in every object. */
const LANGUAGES: ReadonlyMap<string, ScriptFile['language']> = new Map([
  ['.py', 'python'],
  ['.js', 'node'],
  ['.mjs', 'node'],
]);

/** @throws never: what cannot be listed is a problem */
export async function listScripts({ root }: Pick<Vault, 'root'>): Promise<ScriptsFolder> {
  const folder = join(root, SCRIPTS_FOLDER);
  try {
    const stats = await lstat(folder);
    if (!stats.isDirectory())
      return none(`${SCRIPTS_FOLDER} is ${stats.isSymbolicLink() ? 'a link' : 'a file'}, not a folder`);
    const entries = await readdir(folder, { withFileTypes: true });
    const [scripts, refused]: [ScriptFile[], { name: string; reason: string }[]] = [[], []];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      const language = LANGUAGES.get(extname(name));
      if (language === undefined || /^[._]/.test(name) || entry.isDirectory()) continue;
      if (!entry.isFile()) refused.push({ name, reason: 'it is a link or no plain file, and is not followed' });
      else if (hasControlCharacter(name)) refused.push({ name, reason: 'its name holds a control character' });
      else scripts.push({ name, absolute: join(folder, name), language });
    }
    return { problem: null, isAbsent: false, scripts, refused };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return none(`the vault has no folder ${SCRIPTS_FOLDER}`, true);
    return none(`${SCRIPTS_FOLDER} cannot be read (${code})`);
  }
}

function none(problem: string, isAbsent = false): ScriptsFolder {
  return { problem, isAbsent, scripts: [], refused: [] };
}

/**
 * Whether this process could change what is run from the folder: write in it or in anything below, be it only after it
 * has given itself the right to, or put another in its place, which only a mount point withstands where the vault can be
 * written.
 */
export async function mayChangeScripts({ root }: Pick<Vault, 'root'>): Promise<boolean> {
  const folder = join(root, SCRIPTS_FOLDER);
  const below = await entriesBelow(folder);
  if (below === null) return true;
  for (const path of [folder, ...below]) if (await mayWrite(path)) return true;
  return (await mayWrite(root)) && !(await isMountPoint(folder));
}

/**
 * Names a state of the folder: another one after any change, also of a file's mode. Null when that cannot be told.
 */
export async function scriptsState({ root }: Pick<Vault, 'root'>): Promise<string | null> {
  const folder = join(root, SCRIPTS_FOLDER);
  const below = await entriesBelow(folder);
  if (below === null) return null;
  const hash = createHash('sha256');
  try {
    for (const path of [folder, ...below]) {
      const { dev, ino, size, mode, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
      hash.update(`${path}\0${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}\0`);
    }
  } catch {
    // It went while it was looked at.
    return null;
  }
  return hash.digest('hex');
}

/** Everything in a folder and its folders, by path; null when that cannot be listed, or is too much. */
async function entriesBelow(folder: string): Promise<string[] | null> {
  const found: string[] = [];
  for (const folders = [folder]; folders.length > 0; ) {
    const next = folders.pop() ?? folder;
    try {
      for (const entry of await readdir(next, { withFileTypes: true })) {
        const path = join(next, entry.name);
        found.push(path);
        if (entry.isDirectory()) folders.push(path);
      }
    } catch {
      return null;
    }
    if (found.length > MAX_ENTRIES) return null;
  }
  return found.sort();
}
