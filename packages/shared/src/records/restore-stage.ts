/**
 * Brings what is to be restored into a folder of its own within the data folder, whole and proven once more, before
 * anything that is there is touched. Danger: the backup may lie on a disk that fails or that somebody changes meanwhile,
 * so what counts is the bytes that were staged.
 */
import { dirname, join } from 'node:path';
import { BackupError } from './backup-error.ts';
import { fingerprint } from './record-content.ts';
import type { RecordName, RecordPlaces } from './record-set.ts';
import { missingDiscards } from './restore-discards.ts';
import type { RestoreDisk } from './restore-disk.ts';
import { type RestorePlan, type RestoreStep, stagePath } from './restore-plan.ts';
import type { CheckedBackup, CheckedFile } from './verify-backup.ts';

/** Stages the records of a plan. @throws BackupError when the backup has changed since it was read */
export async function stage(
  places: RecordPlaces,
  plan: RestorePlan,
  wanted: Iterable<RecordName>,
  backup: CheckedBackup,
  disk: RestoreDisk,
): Promise<RestoreStep[]> {
  await disk.makeFolder(stagePath(places, plan));
  const steps: RestoreStep[] = [];
  for (const record of wanted) {
    const files = backup.files.filter((file) => file.record === record);
    const staged = stagePath(places, plan, record);
    if (record === 'move-intents') steps.push(await stageFolder(staged, files, backup, disk));
    else if (record === 'discards') steps.push(await stageDiscards(places, staged, backup, disk));
    else steps.push(await stageFile(staged, files, backup, disk));
  }
  return steps;
}

async function stageFile(
  staged: string,
  [file]: readonly CheckedFile[],
  backup: CheckedBackup,
  disk: RestoreDisk,
): Promise<RestoreStep> {
  if (file === undefined) throw new Error('A record of the plan has no file in the backup.');
  await copyProven(file, staged, backup, disk);
  return { record: file.kind.record, sha256: file.sha256 };
}

async function stageFolder(
  staged: string,
  files: readonly CheckedFile[],
  backup: CheckedBackup,
  disk: RestoreDisk,
): Promise<RestoreStep> {
  await disk.makeFolder(staged);
  for (const file of files) await copyProven(file, join(dirname(staged), file.name), backup, disk);
  return { record: 'move-intents', sha256: null };
}

async function copyProven(file: CheckedFile, to: string, { folder }: CheckedBackup, disk: RestoreDisk): Promise<void> {
  await disk.copy(join(folder, file.name), to);
  const found = await fingerprint(to);
  if (found.sha256 !== file.sha256 || found.size !== file.size) {
    throw new BackupError(`${file.name} in ${folder} has changed while it was read: nothing was restored.`);
  }
}

async function stageDiscards(
  places: RecordPlaces,
  staged: string,
  backup: CheckedBackup,
  disk: RestoreDisk,
): Promise<RestoreStep> {
  await disk.write(staged, missingDiscards(places, backup));
  return { record: 'discards', sha256: (await fingerprint(staged)).sha256 };
}
