/**
 * Reads a backup and believes nothing of it before it is proven: every file that its manifest names is there, plain and
 * byte for byte, no other is, and each can be read by this version. Danger: the folder may come from anywhere, so no
 * link in it is followed and no name of the manifest opened that a record cannot have.
 */
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import {
  type BackupFile,
  type BackupManifest,
  MANIFEST_MAX_BYTES,
  MANIFEST_NAME,
  parseManifest,
} from './backup-manifest.ts';
import { fingerprint, recordContent } from './record-content.ts';
import { kindOf, type RecordKind } from './record-set.ts';

export interface CheckedFile extends BackupFile {
  readonly kind: RecordKind;
}

export interface CheckedBackup {
  /** With links resolved. */
  readonly folder: string;
  readonly manifest: BackupManifest;
  readonly files: readonly CheckedFile[];
}

/** @throws BackupError for anything that is no backup, not whole, or of a newer version */
export async function readBackup(folder: string): Promise<CheckedBackup> {
  const real = await realFolder(folder);
  const manifest = parseManifest(await manifestText(real, folder), folder);
  const files = manifest.files.map((file) => ({ ...file, kind: knownKind(file, folder) }));
  refuseTwice(files, folder);
  const there = await namesIn(real, folder);
  const named = new Set([MANIFEST_NAME, ...files.map(({ name }) => name)]);
  refuseAny(
    [...named].filter((name) => !there.has(name)),
    folder,
    'lacks',
  );
  refuseAny(
    [...there].filter((name) => !named.has(name)),
    folder,
    'holds, besides what was backed up,',
  );
  for (const file of files) await checkFile(file, real);
  return { folder: real, manifest, files };
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await lstat(real)).isDirectory()) return real;
  } catch (error) {
    throw new BackupError(`There is no backup in ${folder}: it cannot be opened (${codeOf(error)}).`, { cause: error });
  }
  throw new BackupError(`${folder} is a file: name the folder of a backup, unpacked.`);
}

async function manifestText(real: string, folder: string): Promise<string> {
  try {
    const handle = await open(join(real, MANIFEST_NAME), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = await handle.stat();
      if (size > MANIFEST_MAX_BYTES) throw new BackupError(`The manifest of the backup in ${folder} is too long.`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `There is no backup in ${folder}: no ${MANIFEST_NAME} can be read in it (${codeOf(error)}). A backup that broke off has none.`,
      { cause: error },
    );
  }
}

function knownKind({ record, name, version }: BackupFile, folder: string): RecordKind {
  const kind = kindOf(record, name);
  if (kind === undefined) {
    throw new BackupError(
      `The backup in ${folder} names "${name}" of the record "${record}", which this version does not know: restore it with the version that made it.`,
    );
  }
  if (version <= kind.version) return kind;
  throw new BackupError(
    `${name} in ${folder} is of a newer version (${version}; this one knows ${kind.version}): restore it with that one.`,
  );
}

function refuseTwice(files: readonly BackupFile[], folder: string): void {
  const names = files.map(({ name }) => name);
  refuseAny(
    names.filter((name, at) => names.indexOf(name) !== at),
    folder,
    'names twice',
  );
}

function refuseAny([first, ...rest]: readonly string[], folder: string, what: string): void {
  if (first === undefined) return;
  const others = rest.length === 0 ? '' : ` and ${rest.length} more`;
  throw new BackupError(
    `The backup in ${folder} ${what} ${first}${others}: it is not whole, and nothing is taken from it.`,
  );
}

/** Plain files in it and in the folders that names may have, by the names they would have in a manifest. */
async function namesIn(real: string, folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const name of await readdir(real)) {
    const stat = await lstat(join(real, name));
    if (!stat.isDirectory()) names.add(plain(name, stat, folder));
    else if (name !== 'move-intents')
      throw new BackupError(`The backup in ${folder} holds a folder "${name}", which none has.`);
    else {
      for (const inner of await readdir(join(real, name))) {
        names.add(plain(`${name}/${inner}`, await lstat(join(real, name, inner)), folder));
      }
    }
  }
  return names;
}

function plain(name: string, stat: Stats, folder: string): string {
  if (stat.isFile()) return name;
  throw new BackupError(`${name} in ${folder} is no plain file: nothing is taken from such a folder.`);
}

async function checkFile({ kind, name, size, sha256 }: CheckedFile, real: string): Promise<void> {
  const path = join(real, name);
  const found = await fingerprint(path);
  if (found.size !== size || found.sha256 !== sha256) {
    throw new BackupError(`${path} is not what was backed up: its bytes have changed. Take another backup.`);
  }
  await recordContent(kind, path, path);
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
