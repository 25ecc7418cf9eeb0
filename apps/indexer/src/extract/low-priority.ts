/**
 * Has this process give way to those that answer people; what it starts afterwards (tesseract) inherits it. Danger: on Linux
 * a nice value belongs to a thread, and counts only among processes of one session where the kernel groups sessions (most
 * desktops and servers do): an extraction leads a session of its own, and would have half of a processor however nice.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * The lowest. Whatever it costs a page in time is no fault of the page: its limits count work (sandbox-limits.ts). Calls beside
 * OCR on two processors, p99 ÷ p99 without: nice 10 2.00, nice 19 1.42 (`npm run bench:ocr`). SCHED_IDLE brings it to 1.13, and
 * leaves a reading nothing at all on a machine that stays busy.
 */
const NICE = 19;

/** Never throws: it is a courtesy to the other programs, and where it is not permitted the work is done all the same. */
export function giveWay(): void {
  for (const thread of threads()) attempt(() => getPriority(thread) < NICE && setPriority(thread, NICE));
  attempt(() => {
    // Whoever shares our session did not ask for this.
    if (sessionOf(readFileSync('/proc/self/stat', 'latin1')) !== process.pid) return;
    writeFileSync('/proc/self/autogroup', String(NICE));
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
