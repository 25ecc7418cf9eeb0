/**
 * Whether this system can put up the wall that scripts run behind, asked of the program that puts it up. Danger: a script
 * that its owner did not ask to have run in spite of everything runs only where the answer is yes.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bareEnvironment, wallLine } from './script-command.ts';
import { WHOLE_WALL } from './warden.ts';

/** Version of the kernel's Landlock; 0: there is none. Null: no program here could put up a wall. */
export type Wall = number | null;

const PROBE_MS = 20_000;

/** Never rejects: what cannot be asked has no wall. */
export async function standingWall(): Promise<Wall> {
  const [program = '', ...args] = wallLine();
  try {
    const { stdout } = await promisify(execFile)(program, args, { env: bareEnvironment('UTC'), timeout: PROBE_MS });
    return Number.parseInt(stdout, 10) || 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 0;
  }
}

/** Why a script would not be held here, as a clause; null where it would. */
export function wantOfWall(wall: Wall, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== 'linux') return 'only Linux can keep a script to reading the vault';
  if (wall === null)
    return 'python3, which keeps a script to reading the vault, is not installed where this server runs';
  if (wall >= WHOLE_WALL) return null;
  return 'this system cannot keep a script to reading the vault (that takes Linux 6.2 with Landlock, which some container engines block)';
}
