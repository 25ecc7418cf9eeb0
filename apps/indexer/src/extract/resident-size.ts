/** How much memory a process holds, as the system sees it: JavaScript's own figures miss canvases and decoders. */
import { readFile } from 'node:fs/promises';

const KIB = 1024;

/** @returns resident bytes of a process; null where there is no /proc or the process is gone */
export async function residentBytes(pid: number): Promise<number | null> {
  try {
    // In kB whatever the page size, unlike statm.
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'));
    return line ? Number(line[1]) * KIB : null;
  } catch {
    return null;
  }
}
