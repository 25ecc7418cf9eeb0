/**
 * Tries, once at a start, whether a folder can really be written, by writing and removing a file: what permissions say
 * is no proof on network mounts, under mapped users and on read-only ones. Danger: in a container nobody sees which user
 * it is that may not, so a refusal names the user, the folder and whose the folder is.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempName } from './temp-files.ts';

export interface Mount {
  /** What it is to a person: `data folder`. */
  readonly what: string;
  /** Absolute. */
  readonly folder: string;
  /** What else than giving the folder to the user helps, after "or ". */
  readonly otherwise: string;
}

/** A folder that has to be writable is not; the message is one plain line for a person. */
export class MountError extends Error {
  override readonly name = 'MountError';
}

/** The folder of `data.path`. */
export const dataFolder = (folder: string): Mount => ({
  what: 'data folder',
  folder,
  otherwise: 'set data.path (DATA_PATH) to another',
});

/**
 * The folders that both programs write: of the data, and of the index where that stands elsewhere, since even who only
 * reads it keeps SQLite's shared-memory file beside it.
 *
 * @throws MountError when one of them cannot be written
 */
export async function probeDataFolders(config: {
  readonly data: { readonly path: string };
  readonly index: { readonly path: string };
}): Promise<void> {
  const data = dataFolder(config.data.path);
  await probeFolder(data);
  const folder = dirname(config.index.path);
  const index =
    folder === config.data.path
      ? data
      : { what: 'index folder', folder, otherwise: 'set index.path (INDEX_PATH) to another' };
  if (index !== data) await probeFolder(index);
  // A folder open to everybody, as a fresh volume is, may still hold what another user's programs left.
  await probeHeld(data, join(config.data.path, 'locks'));
  await probeHeld(index, config.index.path);
}

/** @throws MountError when it is there and closed to this user */
async function probeHeld({ what, otherwise }: Mount, path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw await mountError({ what: `${what}'s`, folder: path, otherwise }, error);
  }
}

/** @throws MountError when the folder cannot be made or written */
export async function probeFolder(mount: Mount): Promise<void> {
  try {
    await mkdir(mount.folder, { recursive: true, mode: 0o700 });
    await writeAndRemove(mount.folder);
  } catch (error) {
    throw await mountError(mount, error);
  }
}

/**
 * The vault: one that is mounted read-only or full is served all the same, since reading needs nothing of it.
 *
 * @returns what to warn of, or null when it can be written
 * @throws MountError when this user may not write there
 */
export async function probeVault(root: string): Promise<string | null> {
  try {
    await writeAndRemove(root);
    return null;
  } catch (error) {
    switch (codeOf(error)) {
      case 'EROFS':
        return 'the vault is mounted read-only: it is served, and every write is refused';
      case 'ENOSPC':
      case 'EDQUOT':
        return 'the disk that holds the vault is full: it is served, and writes are refused until there is room';
      default:
        throw await mountError(VAULT(root), error);
    }
  }
}

const VAULT = (folder: string): Mount => ({
  what: 'vault',
  folder,
  otherwise: 'set server.read_only (READ_ONLY=true) to serve it without writing',
});

/** The MountError for whatever stopped somebody from using the folder. */
export async function mountError({ what, folder, otherwise }: Mount, cause: unknown): Promise<MountError> {
  const ids = process.getuid && process.getgid ? ` by uid ${process.getuid()}, gid ${process.getgid()}` : '';
  const owner = await ownerOf(folder);
  return new MountError(
    `The ${what} ${folder} cannot be written${ids} (${codeOf(cause)})${owner}. Give that user the folder, run the ` +
      `program as the folder's owner (with Docker: PUID and PGID), or ${otherwise}.`,
    { cause },
  );
}

async function ownerOf(folder: string): Promise<string> {
  try {
    const { uid, gid, mode } = await stat(folder);
    return `: it belongs to uid ${uid}, gid ${gid}, mode ${(mode & 0o7777).toString(8)}`;
  } catch {
    // It is not there, or may not even be looked at: the code has said so.
    return '';
  }
}

/** Under the name of a temporary file: a crash in between leaves what the next start sweeps out of a vault. */
async function writeAndRemove(folder: string): Promise<void> {
  const path = join(folder, tempName(randomUUID()));
  try {
    await writeFile(path, 'written to see whether it can be\n', { flag: 'wx' });
  } finally {
    await rm(path, { force: true });
  }
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? 'unknown reason');
}
