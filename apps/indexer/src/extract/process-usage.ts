/** What a process takes of the machine, as the system sees it: JavaScript's own figures miss canvases and decoders. */
import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
  readonly residentBytes: number;
  /** Of all its threads, without what it started. */
  readonly processorSeconds: number;
  /** Together with what it started, as far as that has ended. */
  readonly familySeconds: number;
}

const KIB = 1024;
/** What Linux counts a process's time in, on every architecture that Node runs on: USER_HZ, see time(7). */
const TICKS_PER_SECOND = 100;

/** @returns null where there is no /proc or the process is gone */
export async function processUsage(pid: number | 'self'): Promise<ProcessUsage | null> {
  try {
    const [status, stat] = await Promise.all([
      // In kB whatever the page size, unlike statm.
      readFile(`/proc/${pid}/status`, 'latin1'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
    ]);
    const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    // utime, stime, cutime and cstime, fields 14 to 17; the second is a name in brackets, which may hold anything.
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15);
    const [user = Number.NaN, system = Number.NaN, ...ended] = times.map((ticks) => Number(ticks) / TICKS_PER_SECOND);
    const processorSeconds = user + system;
    const familySeconds = ended.reduce((sum, seconds) => sum + seconds, processorSeconds);
    // A zombie has no size any more.
    return Number.isNaN(kib + familySeconds) ? null : { residentBytes: kib * KIB, processorSeconds, familySeconds };
  } catch {
    return null;
  }
}
