/**
 * Has this process give way to those that answer people; what it starts afterwards (tesseract) inherits it. Danger: on Linux
 * a nice value belongs to a thread, and counts only among processes of one session where the kernel groups sessions (most
 * desktops and servers do): an extraction leads a session of its own, and would have half of a processor however nice.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * For its session a tenth of a processor where others want it all, so that a scan is read on a busy machine too. The lowest
 * (19) would leave it a seventieth.
 */
const NICE = 10;
/** chrt needs some milliseconds. */
const CHRT_TIMEOUT_MS = 5_000;

/** Never throws: it is a courtesy to the other programs, and where it is not permitted the work is done all the same. */
export function giveWay(): void {
  for (const thread of threads()) attempt(() => getPriority(thread) < NICE && setPriority(thread, NICE));
  attempt(() => {
    // Whoever shares our session did not ask for this.
    if (sessionOf(readFileSync('/proc/self/stat', 'latin1')) !== process.pid) return;
    writeFileSync('/proc/self/autogroup', String(NICE));
  });
  if (process.platform === 'linux') runWhenIdle();
}

/**
 * SCHED_IDLE: whoever wakes up to answer does not wait for our slice to end. Node cannot set it; util-linux has a program that
 * can, and without that the nice value has to do.
 */
function runWhenIdle(): void {
  spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], {
    stdio: 'ignore',
    timeout: CHRT_TIMEOUT_MS,
  });
}

/** The sixth field; the second is a name in brackets, which may hold anything. */
function sessionOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}

/** Those that exist already, such as the collector's; elsewhere than on Linux 0, the whole process. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [0];
  }
}

function attempt(step: () => unknown): void {
  try {
    step();
  } catch {
    // A thread has ended meanwhile, there is no such file on this system, or a sandbox forbids it.
  }
}
