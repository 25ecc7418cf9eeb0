/**
 * The mark of a restore that is under way, `<data>/restoring.json`: the plan that it is completed by. Danger: while it
 * stands, records of before and after stand side by side, so nobody may open one; whoever opens a record asks here.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RecordOpenError } from './record-open-error.ts';

export function restoreMarker(dataPath: string): string {
  return join(dataPath, 'restoring.json');
}

/** The marker of a restore that did not come to its end; null when there is none. */
export function unfinishedRestore(dataPath: string): string | null {
  const marker = restoreMarker(dataPath);
  return existsSync(marker) ? marker : null;
}

/** @throws RecordOpenError while a restore of this data folder is unfinished */
export function refuseHalfRestored(dataPath: string): void {
  if (unfinishedRestore(dataPath) === null) return;
  throw new RecordOpenError(
    `A restore of the records in ${dataPath} was cut short: run \`vault-mcp restore\` without a folder to complete it.`,
  );
}
