/**
 * The processes that programs under test start, as /proc tells of them: how large they grew, and whether any outlived its
 * work. Danger: looked at again and again, so one that came and went between two looks was never seen.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const LOOK_MS = 50;
const KIB = 1024;

export interface ProcessFamily {
  /** Of the largest child so far, resident. */
  peakBytes(): number;
  /** How many children there have been. */
  seen(): number;
  /** Those that run now: children of the programs, and whatever a child started, be it an orphan by now. */
  running(): string[];
  stop(): void;
}

/** Whether there is anything to see here. */
export const hasProcessTable = existsSync('/proc/self/stat');

/** @param parents programs whose children are each the leader of a session, as the extraction process is */
export function watchFamily(parents: readonly number[]): ProcessFamily {
  const children = new Set<number>();
  let peak = 0;
  const look = (): string[] => {
    const all = processes();
    for (const { pid, parent } of all) {
      if (!parents.includes(parent)) continue;
      children.add(pid);
      peak = Math.max(peak, residentBytes(pid));
    }
    return all
      .filter(({ session, state }) => children.has(session) && state !== 'Z')
      .map(({ name, pid }) => `${name} ${pid}`);
  };
  const timer = setInterval(look, LOOK_MS);
  return { peakBytes: () => peak, seen: () => children.size, running: look, stop: () => clearInterval(timer) };
}

/** Ids of the processes whose command line holds a text. */
export function processesNaming(text: string): string[] {
  return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && read(`/proc/${entry}/cmdline`).includes(text));
}

interface Process {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly session: number;
}

function processes(): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    const found = /^\d+$/.test(entry) && /^\d+ \((.*)\) (\S) (\d+) \d+ (\d+)/s.exec(read(`/proc/${entry}/stat`));
    if (!found) return [];
    const [, name = '', state = '', parent, session] = found;
    return [{ pid: Number(entry), name, state, parent: Number(parent), session: Number(session) }];
  });
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * KIB;
}

/** Empty when it is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
