/**
 * Which discards of a backup the vault lacks, as lines of a file that goes beside its own. Danger: entries of before and
 * after may have the same number, by which a person asks for one; so one whose number is taken gets a new one, and
 * nothing else of a line is changed.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { linesOf } from './record-content.ts';
import { RECORDS, type RecordPlaces } from './record-set.ts';
import type { CheckedBackup } from './verify-backup.ts';

/** What tells lines apart, and what their numbers are. */
interface Seen {
  readonly marks: Set<string>;
  readonly numbers: Set<number>;
  highest: number;
}

/** The lines of a backup that are in none of the vault's own files, oldest first, each with its end. */
export async function* missingDiscards(
  places: RecordPlaces,
  { files, folder }: Pick<CheckedBackup, 'files' | 'folder'>,
): AsyncGenerator<string> {
  const backedUp = files.filter(({ record }) => record === 'discards').map(({ name }) => join(folder, name));
  const there = await seenIn(await ownFiles(places));
  // New numbers are beyond those of the backup too.
  let next = Math.max(there.highest, (await seenIn(backedUp)).highest);
  for (const path of backedUp) {
    for await (const line of linesOf(path)) {
      const mark = markOf(line);
      if (there.marks.has(mark)) continue;
      there.marks.add(mark);
      const n = numberOf(line);
      const isTaken = n > 0 && there.numbers.has(n);
      there.numbers.add(n);
      yield `${isTaken ? JSON.stringify({ ...objectIn(line), n: ++next }) : line}\n`;
    }
  }
}

async function ownFiles(places: RecordPlaces): Promise<string[]> {
  const kind = RECORDS.find(({ record }) => record === 'discards');
  return ((await kind?.files(places)) ?? []).map(({ path }) => path);
}

async function seenIn(paths: readonly string[]): Promise<Seen> {
  const seen: Seen = { marks: new Set(), numbers: new Set(), highest: 0 };
  for (const path of paths) {
    for await (const line of linesOf(path)) {
      const n = numberOf(line);
      seen.marks.add(markOf(line));
      seen.numbers.add(n);
      seen.highest = Math.max(seen.highest, n);
    }
  }
  return seen;
}

/** An entry by its id, which no two have; a line that cannot be read by its text. */
function markOf(line: string): string {
  const id = objectIn(line)?.id;
  return typeof id === 'string' ? `id ${id}` : createHash('sha256').update(line).digest('base64');
}

function numberOf(line: string): number {
  const n = objectIn(line)?.n;
  return Number.isSafeInteger(n) ? Number(n) : 0;
}

function objectIn(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
