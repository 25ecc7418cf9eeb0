/**
 * Many callers that write notes while containers come and go, and what must be true afterwards: every write that was
 * acknowledged is on the disk and found, and no note is half of anything.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Project } from './project.ts';

const CALLERS = 4;
const AGAIN_MS = 50;
/** Long enough to be torn: many pages. */
const FILLER = 'The kettle stands on the stove and nobody is in. '.repeat(1_500);

export interface Writes {
  /** How many have been acknowledged so far. */
  acknowledged(): number;
  /** Resolves when all are, or when they were told to stop. */
  readonly done: Promise<void>;
  /** No further ones; those in hand are waited for. */
  stop(): Promise<void>;
  /** Looks at the disk. @throws when a write is lost or torn */
  verifyFiles(): Promise<void>;
  /** Waits until the index holds exactly what is on the disk, and finds samples. */
  verifyIndex(): Promise<void>;
}

const pathOf = (n: number) => `Written/n${n}.md`;
const textOf = (n: number) => `# Note ${n}\n\nA sentence about subject${n}x.\n\n${FILLER}\n\nEnd of ${n}.\n`;

/**
 * @param numbers of the notes: from the first on, below the end
 * @param query what goes with every call, such as `?wait=indexed`
 */
export function startWrites(project: Project, [first, end]: readonly [number, number], query = ''): Writes {
  const acknowledged = new Set<number>();
  let next = first;
  let stopped = false;
  const caller = async () => {
    while (!stopped && next < end) {
      const n = next;
      next += 1;
      await writeUntilTaken(n);
    }
  };
  const writeUntilTaken = async (n: number) => {
    while (!stopped && !acknowledged.has(n)) {
      try {
        const { status } = await project.call('PUT', `/vault/${pathOf(n)}${query}`, textOf(n));
        if (status === 200) acknowledged.add(n);
      } catch {
        // Nobody is there at the moment.
        await sleep(AGAIN_MS);
      }
    }
  };
  const done = Promise.all(Array.from({ length: CALLERS }, caller)).then(() => undefined);
  const onDisk = async () => {
    const names = await readdir(join(project.vaultPath, 'Written'));
    return names.filter((name) => !name.startsWith('.')).map((name) => Number(/^n(\d+)\.md$/.exec(name)?.[1]));
  };
  return {
    acknowledged: () => acknowledged.size,
    done,
    async stop() {
      stopped = true;
      await done;
    },
    async verifyFiles() {
      const numbers = await onDisk();
      expect(numbers).toEqual(expect.arrayContaining([...acknowledged]));
      for (const n of numbers) {
        const text = await readFile(join(project.vaultPath, pathOf(n)), 'utf8');
        expect(text === textOf(n), `${pathOf(n)} is whole`).toBe(true);
      }
    },
    async verifyIndex() {
      const numbers = await onDisk();
      await project.until(async () => {
        const { status, body } = await project.get('/readyz');
        const { notes, waiting } = body.index as { notes: number; waiting: number };
        return status === 200 && waiting === 0 && notes === numbers.length;
      }, `all ${numbers.length} notes to be indexed`);
      for (const n of [Math.min(...acknowledged), Math.max(...acknowledged)])
        await project.untilFound(`subject${n}x`, pathOf(n));
    },
  };
}
