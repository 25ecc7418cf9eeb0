/**
 * Judges what a restore would do, before anything is changed: which records it takes, and whether something is in their
 * way. Danger: what is there and not empty is somebody's only copy, so it goes aside only where that was asked for; and
 * keys of agents come back only on request, since those that were revoked would come back with them.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import { agentsIn, databaseRows, isDatabase, recordContent } from './record-content.ts';
import { RECORDS, type RecordKind, type RecordName, type RecordPlaces } from './record-set.ts';
import { missingDiscards } from './restore-discards.ts';
import type { CheckedBackup } from './verify-backup.ts';

export interface RestoreOptions {
  /** What is there goes aside, where it is not empty too. */
  readonly replace: boolean;
  /** Agents' keys too: those that were revoked since come back with them. */
  readonly keys: boolean;
  /** Looks whether it could be done, and changes nothing. */
  readonly dryRun: boolean;
  /** Nothing may be written into the vault. */
  readonly readOnly: boolean;
  readonly now: Date;
}

export interface RestoreOutline {
  /** What was put into place, with how many rows, lines or entries. */
  readonly restored: readonly { readonly record: RecordName; readonly rows: number }[];
  /** Discards of the backup that the vault has already. */
  readonly discardsThere: number;
  /** Agents whose key came back, or another one; and those that the backup has a key of, which was not asked for. */
  readonly agents: { readonly back: readonly string[]; readonly leftOut: readonly string[] };
  /** It was made of a vault that stood elsewhere, or of another one. */
  readonly otherVault: boolean;
}

/** @throws BackupError for what is refused */
export async function outlineOf(
  places: RecordPlaces,
  backup: CheckedBackup,
  options: RestoreOptions,
): Promise<RestoreOutline> {
  const kinds = RECORDS.filter(({ record }) => backup.files.some((file) => file.record === record));
  const restored: { record: RecordName; rows: number }[] = [];
  const occupied: RecordName[] = [];
  for (const kind of kinds) {
    const { record } = kind;
    if (record === 'agent-keys' && !options.keys) continue;
    const rows = record === 'discards' ? await countMissing(places, backup) : rowsOf(backup, record);
    if (record === 'discards' && rows === 0) continue;
    if (record === 'discards' && options.readOnly) throw readOnlyVault(rows);
    if (record !== 'discards' && (await isOccupied(kind, places))) occupied.push(record);
    restored.push({ record, rows });
  }
  if (occupied.length > 0 && !options.replace) throw alreadyThere(places, occupied);
  const lacking = restored.find(({ record }) => record === 'discards')?.rows ?? 0;
  const vault = createHash('sha256').update(places.vaultPath).digest('hex');
  return {
    restored,
    discardsThere: rowsOf(backup, 'discards') - lacking,
    agents: await agentsOf(places, backup, options),
    otherVault: vault !== backup.manifest.vault,
  };
}

function rowsOf({ files }: CheckedBackup, record: RecordName): number {
  return files.filter((file) => file.record === record).reduce((total, { rows }) => total + rows, 0);
}

function readOnlyVault(missing: number): BackupError {
  return new BackupError(
    `${missing} discarded texts of the backup belong into the vault, and server.read_only (READ_ONLY) is true: set it to false for this command. Nothing was restored.`,
  );
}

function alreadyThere({ dataPath }: RecordPlaces, occupied: readonly RecordName[]): BackupError {
  return new BackupError(
    `There is something already of ${occupied.join(', ')} in ${dataPath}: with --replace it goes aside, and is kept. Nothing was restored.`,
  );
}

async function countMissing(places: RecordPlaces, backup: CheckedBackup): Promise<number> {
  let missing = 0;
  for await (const _line of missingDiscards(places, backup)) missing++;
  return missing;
}

/** Whether something would be lost from sight: a record that is empty, as a first start makes it, is no loss. */
async function isOccupied(kind: RecordKind, places: RecordPlaces): Promise<boolean> {
  const present = await kind.files(places);
  for (const { path } of present) {
    try {
      if (kind.form.kind === 'sqlite' && (await isDatabase(path)) && databaseRows(path) === 0) continue;
      if (kind.form.kind !== 'sqlite' && (await recordContent(kind, path, path)).rows === 0) continue;
    } catch {
      // Damaged, or of a newer version: whatever it is, it is there.
    }
    return true;
  }
  return false;
}

async function agentsOf(places: RecordPlaces, { files, folder }: CheckedBackup, { keys }: RestoreOptions) {
  const file = files.find(({ record }) => record === 'agent-keys');
  if (file === undefined) return { back: [], leftOut: [] };
  const backedUp = await readFile(join(folder, file.name), 'utf8');
  const now = existsSync(places.keysFile) ? await readFile(places.keysFile, 'utf8') : null;
  const returning = returningAgents(now, backedUp);
  return keys ? { back: returning, leftOut: [] } : { back: [], leftOut: returning };
}

/**
 * Agents whose key the backup would bring back: those that have none now, or another one.
 *
 * @param now the text of the keys file; null when there is none. One that is damaged has no agents.
 */
function returningAgents(now: string | null, backedUp: string): string[] {
  const present = now === null ? null : agentsIn(now);
  return [...(agentsIn(backedUp) ?? [])].filter(([agent, key]) => present?.get(agent) !== key).map(([agent]) => agent);
}
