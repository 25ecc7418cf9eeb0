/**
 * Backs up the records into a folder of its own, each as of one moment, while servers go on writing them. Danger: what
 * is half made must never pass for a backup, so it gets its manifest last and its name after that; and it holds what
 * agents wrote and the digests of their keys, so it is closed to others.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { access, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { syncFolder } from '../vault/sync-folder.ts';
import { BackupError, writeProblem } from './backup-error.ts';
import { BACKUP_FORMAT, type BackupFile, type BackupManifest, MANIFEST_NAME } from './backup-manifest.ts';
import { copyRecord } from './copy-record.ts';
import { fingerprint, recordContent } from './record-content.ts';
import { RECORDS, type RecordFile, type RecordKind, type RecordPlaces } from './record-set.ts';
import { refuseHalfRestored } from './restore-marker.ts';

/** How often the set of files is taken anew when a log was rotated meanwhile. */
const TRIES = 3;
const PARTIAL = /^\.vault-mcp-records-[0-9a-f-]{36}\.partial$/;

export interface BackupReport {
  /** The new folder, absolute. */
  readonly folder: string;
  readonly manifest: BackupManifest;
  /** Folders beside it, of backups that broke off: nothing but space is lost by removing them. */
  readonly brokenOff: readonly string[];
}

export interface BackupMaker {
  /** Name and version of the program. */
  readonly product: string;
  readonly now: Date;
}

/** What there is to back up. @throws BackupError for a record that is no plain file */
export async function presentRecords(places: RecordPlaces): Promise<{ kind: RecordKind; file: RecordFile }[]> {
  const found = await Promise.all(
    RECORDS.map(async (kind) => (await kind.files(places)).map((file) => ({ kind, file }))),
  );
  return found.flat();
}

/**
 * Makes `<to>/vault-mcp-records-<UTC>/`.
 *
 * @param to a folder that is there, outside of the data folder and of what the vault shows
 * @throws BackupError when it cannot be made or a record is damaged: nothing is left of it then; RecordOpenError while a
 * restore is unfinished
 */
export async function backUpRecords(places: RecordPlaces, to: string, about: BackupMaker): Promise<BackupReport> {
  refuseHalfRestored(places.dataPath);
  const target = await targetFolder(places, to);
  const brokenOff = (await readdir(target)).filter((name) => PARTIAL.test(name)).map((name) => join(target, name));
  const partial = join(target, `.vault-mcp-records-${randomUUID()}.partial`);
  try {
    await mkdir(partial, { mode: 0o700 });
    const manifest = await fill(places, partial, about);
    const folder = await giveName(partial, target, about.now);
    return { folder, manifest, brokenOff };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw writeProblem(error, target, 'Nothing of the backup was kept.');
  }
}

async function targetFolder({ dataPath, vaultPath }: RecordPlaces, to: string): Promise<string> {
  const target = await realFolder(to);
  if (isWithin(target, dataPath)) {
    throw new BackupError(`${to} is within the data folder, which a backup is to outlive: name another folder.`);
  }
  if (
    isWithin(target, vaultPath) &&
    !relative(vaultPath, target)
      .split(sep)
      .some((part) => part.startsWith('.'))
  ) {
    throw new BackupError(`${to} is within the vault, where agents read and write: name another folder.`);
  }
  return target;
}

async function realFolder(to: string): Promise<string> {
  try {
    const target = await realpath(to);
    if (!(await stat(target)).isDirectory()) throw new BackupError(`${to} is a file: name a folder.`);
    await access(target, constants.W_OK | constants.X_OK);
    return target;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      // Not made: an unmounted disk must not become a folder on the one that it was to be a copy of.
      throw new BackupError(`${to} is not there: make the folder first, or mount its disk.`);
    }
    throw writeProblem(error, to, 'Nothing was backed up.');
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

async function fill(places: RecordPlaces, folder: string, { product, now }: BackupMaker): Promise<BackupManifest> {
  const files: BackupFile[] = [];
  for (const kind of RECORDS) files.push(...(await copyKind(kind, places, folder)));
  if (files.length === 0) throw new BackupError(`There is no record in ${places.dataPath} yet.`);
  const vault = createHash('sha256').update(places.vaultPath).digest('hex');
  const manifest = { format: BACKUP_FORMAT, made_at: now.toISOString(), product, vault, files } as const;
  for (const inner of await foldersIn(folder)) await syncFolder(inner);
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST_NAME), text, { flag: 'wx', mode: 0o600, flush: true });
  await syncFolder(folder);
  return manifest;
}

/** Anew when a log was rotated between the first file and the last: else lines would be in none, or in two. */
async function copyKind(kind: RecordKind, places: RecordPlaces, folder: string): Promise<BackupFile[]> {
  for (let tries = 1; ; tries++) {
    const present = await kind.files(places);
    const copied: BackupFile[] = [];
    for (const file of present) copied.push(...(await copyOne(kind, file, folder)));
    if (kind.form.kind !== 'lines' || sameNames(present, await kind.files(places))) return copied;
    if (tries === TRIES) {
      throw new BackupError(`The record ${kind.record} was rotated again and again while it was copied: try later.`);
    }
    await Promise.all(copied.map(({ name }) => rm(join(folder, name))));
  }
}

async function copyOne(kind: RecordKind, file: RecordFile, folder: string): Promise<BackupFile[]> {
  const copy = join(folder, file.name);
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
  if (!(await copyRecord(kind, file, copy).catch((error) => Promise.reject(readProblem(error, file.path))))) return [];
  const content = await recordContent(kind, copy, file.path);
  return [{ record: kind.record, name: file.name, ...(await fingerprint(copy)), ...content }];
}

function readProblem(error: unknown, path: string): unknown {
  const code = String((error as { code?: unknown }).code);
  if (/^E(ACCES|PERM)$/.test(code)) return new BackupError(`${path} cannot be read by this user (${code}).`);
  if (/^SQLITE_(CANTOPEN|READONLY)/.test(code)) {
    const why = 'SQLite keeps files beside it while it reads, and may not';
    return new BackupError(`${path} cannot be opened (${code}): ${why}. Back up from a copy of the data folder.`, {
      cause: error,
    });
  }
  if (/^SQLITE_(BUSY|PROTOCOL|IOERR_\w*LOCK)/.test(code)) {
    const where = 'back up into a folder on a disk of this machine, and copy that from there';
    return new BackupError(`No database can be made there (${code}; a network share?): ${where}.`, { cause: error });
  }
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return error;
  return new BackupError(`${path} is damaged: move it away, or restore it from an earlier backup.`, { cause: error });
}

function sameNames(before: readonly RecordFile[], after: readonly RecordFile[]): boolean {
  const names = (files: readonly RecordFile[]) => files.map(({ name }) => name).join('\n');
  return names(before) === names(after);
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Two backups within one second get names of their own. */
async function giveName(partial: string, target: string, now: Date): Promise<string> {
  for (let n = 1; ; n++) {
    const folder = join(target, `vault-mcp-records-${stampOf(now)}${n === 1 ? '' : `-${n}`}`);
    try {
      await rename(partial, folder);
      await syncFolder(target);
      return folder;
    } catch (error) {
      if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

/** `20261130T171225Z`. */
export function stampOf(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
