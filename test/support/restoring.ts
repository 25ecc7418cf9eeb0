/** Restoring in tests: with the options of a plain restore, and what is below both folders afterwards. */
import type { RecordPlaces } from '@vault-mcp/shared/records/record-set';
import { type RestoreReport, restoreRecords } from '@vault-mcp/shared/records/restore';
import type { RestoreOptions } from '@vault-mcp/shared/records/restore-outline';
import { readBackup } from '@vault-mcp/shared/records/verify-backup';
import { bytesBelow } from './kept-records.ts';

export const NOW = new Date('2026-11-30T18:00:00Z');

/** @param backup its folder */
export async function restoreFrom(
  backup: string,
  places: RecordPlaces,
  options: Partial<RestoreOptions> = {},
): Promise<RestoreReport> {
  const asked = { replace: false, keys: false, dryRun: false, readOnly: false, now: NOW, ...options };
  return restoreRecords(places, await readBackup(backup), asked);
}

export const everything = (places: RecordPlaces) => ({
  ...bytesBelow(places.dataPath),
  ...bytesBelow(places.vaultPath),
});
