/**
 * Restores records from a backup: all is staged and proven first, then a plan is written down, and what follows is
 * completed by the next try if this one is cut short. Danger: it takes the place of what nothing can make again, so it
 * works only while nobody else does, refuses whatever is not certain before it has changed anything, and keeps what was
 * there before.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { whileAlone } from '../vault/lock-owner.ts';
import { stampOf } from './backup.ts';
import { BackupError, writeProblem } from './backup-error.ts';
import { ensureIgnored } from './discard-ignore.ts';
import type { RecordName, RecordPlaces } from './record-set.ts';
import { type RestoreDisk, realDisk } from './restore-disk.ts';
import { restoreMarker, unfinishedRestore } from './restore-marker.ts';
import { refuseObstacles, refuseOpenRecords } from './restore-obstacles.ts';
import { outlineOf, type RestoreOptions, type RestoreOutline } from './restore-outline.ts';
import {
  asideFolder,
  newPlan,
  placeOf,
  type RestorePlan,
  stagePath,
  standingPlan,
  tempBeside,
} from './restore-plan.ts';
import { stage } from './restore-stage.ts';
import { carryOut, sweepStages } from './restore-steps.ts';
import type { CheckedBackup } from './verify-backup.ts';

export interface RestoreEnd {
  /** Holds what was there before; null when nothing was, and after a dry run. */
  readonly aside: string | null;
  /** Why git could not be told to ignore the discards that were restored. */
  readonly notIgnored: string | null;
}

export type RestoreReport = RestoreOutline & RestoreEnd;

/**
 * @throws BackupError when it is refused or could not be begun, and nothing is changed then, or when it could not be
 * completed, which it says; OthersAtWorkError while another program works with the data folder
 */
export function restoreRecords(
  places: RecordPlaces,
  backup: CheckedBackup,
  options: RestoreOptions,
  disk: RestoreDisk = realDisk,
): Promise<RestoreReport> {
  return whileAlone(join(places.dataPath, 'locks'), async () => {
    if (unfinishedRestore(places.dataPath) !== null) {
      throw new BackupError('A restore was cut short: complete it first, by `vault-mcp restore` without a folder.');
    }
    const outline = await outlineOf(places, backup, options);
    if (options.dryRun || outline.restored.length === 0) return { ...outline, aside: null, notIgnored: null };
    const records = outline.restored.map(({ record }) => record);
    const plan = await begin(places, records, backup, options.now, disk);
    return { ...outline, ...(await finish(places, plan, disk)) };
  });
}

/**
 * Completes a restore that was cut short.
 *
 * @returns the records it was about
 * @throws BackupError when there is none, or it cannot be completed yet; OthersAtWorkError
 */
export function completeRestore(
  places: RecordPlaces,
  disk: RestoreDisk = realDisk,
): Promise<{ readonly records: readonly RecordName[] } & RestoreEnd> {
  return whileAlone(join(places.dataPath, 'locks'), async () => {
    const plan = await standingPlan(places);
    if (plan === null) throw new BackupError('No restore was cut short: name the folder of a backup.');
    const records = plan.steps.map(({ record }) => record);
    await refuseOpenRecords(places, plan);
    return { records, ...(await finish(places, plan, disk)) };
  });
}

async function finish(places: RecordPlaces, plan: RestorePlan, disk: RestoreDisk): Promise<RestoreEnd> {
  // A log that git is not told to ignore would be committed by whoever commits everything.
  const notIgnored = plan.steps.some(({ record }) => record === 'discards') ? await ignoreProblem(places) : null;
  return { aside: await carryOut(places, plan, disk), notIgnored };
}

async function ignoreProblem({ vaultPath }: RecordPlaces): Promise<string | null> {
  try {
    await ensureIgnored({ path: vaultPath });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** All up to the marker, and that nobody is in the way. What was begun is taken away again when it fails. */
async function begin(
  places: RecordPlaces,
  records: readonly RecordName[],
  backup: CheckedBackup,
  now: Date,
  disk: RestoreDisk,
): Promise<RestorePlan> {
  await sweepStages(places, disk);
  const draft = newPlan(places, randomUUID(), freeStamp(places, now), []);
  const marker = restoreMarker(places.dataPath);
  try {
    const plan = { ...draft, steps: await stage(places, draft, records, backup, disk) };
    for (const record of records) await refuseObstacles(places, plan, record, disk);
    await disk.write(tempBeside(marker), JSON.stringify(plan));
    await disk.rename(tempBeside(marker), marker);
    // Only now, since from the marker on nobody opens one.
    await refuseOpenRecords(places, plan);
    return plan;
  } catch (error) {
    const temps = [marker, ...records.map((record) => placeOf(places, draft, record))].map(tempBeside);
    // The marker first: what it stands for is not there any more without the rest.
    for (const path of [marker, ...temps, stagePath(places, draft)]) rmSync(path, { recursive: true, force: true });
    throw writeProblem(error, places.dataPath, 'Nothing was restored.');
  }
}

/** A name that neither what goes aside nor what goes beside has yet. */
function freeStamp(places: RecordPlaces, now: Date): string {
  for (let n = 1; ; n++) {
    const stamp = `${stampOf(now)}${n === 1 ? '' : `-${n}`}`;
    const plan = newPlan(places, '', stamp, []);
    if (![asideFolder(places, plan), placeOf(places, plan, 'discards')].some((path) => existsSync(path))) return stamp;
  }
}
