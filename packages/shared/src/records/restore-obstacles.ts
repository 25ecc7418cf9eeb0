/**
 * Finds out before a restore changes anything what would stop it half way: a place that cannot be written, a file that is
 * mounted by itself, a database that somebody has open. Danger: none of these may be changed by looking.
 */
import { existsSync, linkSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { BackupError, writeProblem } from './backup-error.ts';
import { isDatabase } from './record-content.ts';
import type { RecordName, RecordPlaces } from './record-set.ts';
import type { RestoreDisk } from './restore-disk.ts';
import { placeOf, type RestorePlan, stagePath, tempBeside } from './restore-plan.ts';

/** For what is put into vault or keys' folder. Leaves what will be renamed into place. @throws BackupError */
export async function refuseObstacles(
  places: RecordPlaces,
  plan: RestorePlan,
  record: RecordName,
  disk: RestoreDisk,
): Promise<void> {
  if (record !== 'agent-keys' && record !== 'discards') return;
  const place = placeOf(places, plan, record);
  if (existsSync(place)) refuseMountedFile(place);
  await disk.copy(stagePath(places, plan, record), tempBeside(place)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw writeProblem(error, dirname(place), 'Nothing was restored.');
    throw new BackupError(`The folder of ${place} is not there: make it first. Nothing was restored.`);
  });
}

/** A file that is mounted by itself cannot be replaced; a second name for it shows that, by crossing the mount. */
function refuseMountedFile(path: string): void {
  const probe = `${tempBeside(path)}-probe`;
  rmSync(probe, { force: true });
  try {
    linkSync(path, probe);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') return;
    throw new BackupError(`${path} is mounted by itself, so it cannot be replaced: mount its folder instead.`);
  } finally {
    rmSync(probe, { force: true });
  }
}

/** @throws BackupError while somebody has one of the databases open that are to go aside */
export async function refuseOpenRecords(places: RecordPlaces, plan: RestorePlan): Promise<void> {
  for (const { record } of plan.steps) {
    const place = placeOf(places, plan, record);
    if (/\.db$/.test(place) && existsSync(place) && (await isDatabase(place))) refuseWhileOpen(place);
  }
}

/**
 * A command that only reads a record is no owner of locks, so SQLite is asked: who is to have a file in WAL mode for
 * itself is refused while another connection is open.
 */
function refuseWhileOpen(path: string): void {
  const db = new Database(path, { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
  } catch (error) {
    // What is damaged is no use to others either.
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return;
    throw new BackupError(`${path} is in use by another program: end that first, then try again.`);
  } finally {
    db.close();
  }
}
