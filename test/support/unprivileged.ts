/**
 * Runs a script in a process of its own to which file permissions apply, also where the tests run as root: there
 * without the two capabilities that overlook them, so that it still reaches what root owns.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const CAPABILITIES = '-dac_override,-dac_read_search';
const WITHOUT_PRIVILEGE = ['setpriv', `--bounding-set=${CAPABILITIES}`, `--inh-caps=${CAPABILITIES}`];

/** What stands before a command; null where root cannot be made to heed permissions. */
const prefix: readonly string[] | null =
  process.getuid?.() !== 0
    ? []
    : spawnSync('setpriv', [...WITHOUT_PRIVILEGE.slice(1), 'true']).status === 0
      ? WITHOUT_PRIVILEGE
      : null;

export const canRunUnprivileged = prefix !== null;

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
