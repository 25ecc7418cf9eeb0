/**
 * The folder of a vault's own scripts, `.scripts`: what stands in it, whether this process could change it, whether
 * somebody did. Danger: whoever can change what stands here decides what is run, so links are never followed, and where
 * it is not certain that nothing can be written, it counts as writable.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
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

/**
 * Entries looked at, in all folders: beyond what a script's own modules are. Each is looked at after each script, some 100 ms
 * for ten thousand.
 */
export const MAX_ENTRIES = 20_000;
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
 * written. `problem`: why that cannot be told, and so counts as true; a clause.
 */
export async function mayChangeScripts({
  root,
}: Pick<Vault, 'root'>): Promise<{ readonly may: boolean; readonly problem: string | null }> {
  const folder = join(root, SCRIPTS_FOLDER);
  const below = await entriesBelow(folder);
  if ('problem' in below) return { may: true, problem: below.problem };
  for (const path of [folder, ...below.paths]) if (await mayWrite(path)) return { may: true, problem: null };
  return { may: (await mayWrite(root)) && !(await isMountPoint(folder)), problem: null };
}

/** Names a state of the folder: another one after any change, also of a file's mode. Or why that cannot be told: a clause. */
export async function scriptsState({
  root,
}: Pick<Vault, 'root'>): Promise<{ readonly hash: string } | { readonly problem: string }> {
  const folder = join(root, SCRIPTS_FOLDER);
  const below = await entriesBelow(folder);
  if ('problem' in below) return below;
  const hash = createHash('sha256');
  try {
    for (const path of [folder, ...below.paths]) {
      const { dev, ino, size, mode, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
      hash.update(`${path}\0${dev}:${ino}:${size}:${mode}:${mtimeNs}:${ctimeNs}\0`);
    }
  } catch {
    return { problem: 'something in it went while it was looked at' };
  }
  return { hash: hash.digest('hex') };
}

/** Everything in a folder and its folders, by path. */
async function entriesBelow(
  folder: string,
): Promise<{ readonly paths: readonly string[] } | { readonly problem: string }> {
  const found: string[] = [];
  for (const folders = [folder]; folders.length > 0; ) {
    const next = folders.pop() ?? folder;
    try {
      for (const entry of await readdir(next, { withFileTypes: true })) {
        const path = join(next, entry.name);
        found.push(path);
        if (entry.isDirectory()) folders.push(path);
      }
    } catch (error) {
      const name = next === folder ? SCRIPTS_FOLDER : `${SCRIPTS_FOLDER}/${relative(folder, next)}`;
      return { problem: `${name} cannot be listed (${(error as NodeJS.ErrnoException).code})` };
    }
    if (found.length > MAX_ENTRIES) return { problem: `it holds more than ${MAX_ENTRIES} files and folders` };
  }
  return { paths: found.sort() };
}
