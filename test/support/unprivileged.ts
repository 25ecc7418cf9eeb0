/**
 * Runs a script in a process of its own to which file permissions apply, also where the tests run as root: there
 * without the capabilities that overlook them and that act for other owners, so that it still reaches what root owns.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';

const SOMEBODY_ELSE = 65_533;
const CAPABILITIES = '-dac_override,-dac_read_search,-fowner';
const WITHOUT_PRIVILEGE = ['setpriv', `--bounding-set=${CAPABILITIES}`, `--inh-caps=${CAPABILITIES}`];

/** What stands before a command; null where root cannot be made to heed permissions. */
const prefix: readonly string[] | null =
  process.getuid?.() !== 0
    ? []
    : spawnSync('setpriv', [...WITHOUT_PRIVILEGE.slice(1), 'true']).status === 0
      ? WITHOUT_PRIVILEGE
      : null;

export const canRunUnprivileged = prefix !== null;

/** Whether files can be given to somebody else, so that the process is not their owner. */
export const canGiveAway = canRunUnprivileged && process.getuid?.() === 0;

/** Makes somebody else the owner of files, whom no process of ours runs as. */
export function giveAway(paths: readonly string[]): void {
  for (const path of paths) chownSync(path, SOMEBODY_ELSE, SOMEBODY_ELSE);
}

/**
 * @param script an ES module over the compiled packages, which prints one JSON value; it finds `args` in `process.argv`
 * from index 1 on
 * @throws Error when it fails, with what it said
 */
export function runUnprivileged(script: string, args: readonly string[]): unknown {
  const [command = '', ...rest] = [...(prefix ?? []), process.execPath, '--input-type=module', '-e', script, ...args];
  const cwd = join(import.meta.dirname, '../..');
  return JSON.parse(execFileSync(command, rest, { cwd, encoding: 'utf8', timeout: 60_000 }));
}
