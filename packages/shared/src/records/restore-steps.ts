/**
 * Carries out the plan of a restore: what was there goes aside, what was staged takes its place, the marker goes last.
 * Danger: it may be ended at any step and is then begun anew from the first, so each step does nothing when it has been
 * done, and nothing that was there before is deleted.
 */
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BackupError, writeProblem } from './backup-error.ts';
import { fingerprint } from './record-content.ts';
import type { RecordPlaces } from './record-set.ts';
import type { RestoreDisk } from './restore-disk.ts';
import { restoreMarker } from './restore-marker.ts';
import { asideFolder, placeOf, type RestorePlan, type RestoreStep, stagePath, tempBeside } from './restore-plan.ts';

/** What SQLite keeps beside a database; they go where it goes. */
const SIDECARS = ['', '-wal', '-shm', '-journal'];

/**
 * @returns the folder that holds what was there before; null when nothing was
 * @throws BackupError when it cannot go on; the marker stands then, and the next try goes on
 */
export async function carryOut(places: RecordPlaces, plan: RestorePlan, disk: RestoreDisk): Promise<string | null> {
  try {
    for (const step of plan.steps) await carryOutStep(places, plan, step, disk);
    await disk.remove(stagePath(places, plan));
    await disk.remove(restoreMarker(places.dataPath));
  } catch (error) {
    const then = 'The restore is half done: run `vault-mcp restore` without a folder to complete it.';
    throw writeProblem(error, places.dataPath, then);
  }
  const aside = asideFolder(places, plan);
  return (await exists(aside)) ? aside : null;
}

async function carryOutStep(places: RecordPlaces, plan: RestorePlan, step: RestoreStep, disk: RestoreDisk) {
  const staged = stagePath(places, plan, step.record);
  const place = placeOf(places, plan, step.record);
  const elsewhere = step.record === 'agent-keys' || step.record === 'discards';
  // In vault and keys' folder the staged file stays, so there what stands in place tells.
  if (elsewhere && (await holds(place, step.sha256))) return;
  if (!(await exists(staged))) {
    if (await exists(place)) return;
    throw new BackupError(
      `The restore cannot be completed: ${staged} is gone. Delete ${restoreMarker(places.dataPath)} and restore again with --replace.`,
    );
  }
  const aside = asideFolder(places, plan);
  if (elsewhere) await putFromElsewhere(aside, staged, place, step, disk);
  else await putFromStage(aside, staged, place, disk);
}

async function holds(path: string, sha256: string | null): Promise<boolean> {
  return (await exists(path)) && (await fingerprint(path).catch(() => null))?.sha256 === sha256;
}

/** Perhaps from another file system: copied beside its place first. */
async function putFromElsewhere(
  aside: string,
  staged: string,
  place: string,
  { sha256 }: RestoreStep,
  disk: RestoreDisk,
): Promise<void> {
  if (await exists(place)) {
    await disk.makeFolder(aside);
    await disk.copy(place, join(aside, basename(place)));
  }
  if (!(await holds(tempBeside(place), sha256))) await disk.copy(staged, tempBeside(place));
  await disk.rename(tempBeside(place), place);
}

/** The last of the renames is the one that puts the staged record into place: a crash before it begins all anew. */
async function putFromStage(aside: string, staged: string, place: string, disk: RestoreDisk): Promise<void> {
  for (const sidecar of SIDECARS) {
    if (!(await exists(place + sidecar))) continue;
    await disk.makeFolder(aside);
    await disk.rename(place + sidecar, join(aside, basename(place) + sidecar));
  }
  await disk.rename(staged, place);
}

/**
 * Takes away what restores left that were cut short before they had a plan. Only while nobody else is at work.
 */
export async function sweepStages(places: RecordPlaces, disk: RestoreDisk): Promise<void> {
  for (const name of await readdir(places.dataPath)) {
    if (/^restore-[0-9a-f-]{36}$/.test(name)) await disk.remove(join(places.dataPath, name));
  }
  for (const name of await readdir(places.vaultPath)) {
    if (/^\.discarded\.restored-[0-9TZ]+(-\d+)?\.log\.restoring$/.test(name)) {
      await disk.remove(join(places.vaultPath, name));
    }
  }
  await disk.remove(tempBeside(places.keysFile));
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
