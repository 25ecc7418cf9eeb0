/**
 * Where the embedded program keeps what it derives from a vault. Danger: the folder holds note text (index, cache) and
 * the operator's key, so it is created for this user alone; and its name follows the vault's real path, so that two
 * spellings of one folder never get two indexes.
 */
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliError, EXIT } from './exit-codes.ts';

/** Under the user's data home. */
const PROGRAM_FOLDER = 'vault-mcp';
/** Hex digits of the path's hash: 64 bits, far beyond any number of vaults one user has. */
const NAME_DIGITS = 16;

/** The folder that holds every vault's data folder: `$XDG_DATA_HOME/vault-mcp`. */
export function programDataFolder(dataHome: string): string {
  return join(dataHome, PROGRAM_FOLDER);
}

/**
 * The data folder of a vault: `<data home>/vault-mcp/<hash of the vault's real path>`.
 * @param vaultPath absolute, exists
 */
export function dataFolderOf(vaultPath: string, dataHome: string): string {
  const name = createHash('sha256').update(vaultPath).digest('hex').slice(0, NAME_DIGITS);
  return join(programDataFolder(dataHome), name);
}

/**
 * The vault's path with every link resolved.
 * @throws CliError when it is missing, no folder, or hidden from this user
 */
export function realVaultPath(path: string): string {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) throw new CliError(EXIT.usage, `The vault ${path} is a file; name its folder.`);
    accessSync(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(EXIT.usage, `The vault ${path} cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
}

/**
 * Creates the data folder, for this user alone, unless it is there.
 * @returns its real path
 * @throws CliError when that is not possible, or this user may not write into the one that is there
 */
export function createDataFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const real = realpathSync(path);
    accessSync(real, constants.R_OK | constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    const message = `The data folder ${path} cannot be used: ${reasonOf(error)}. Name another with --data.`;
    throw new CliError(EXIT.usage, message, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its symbolic links go round in a circle',
};

/** A file-system error in words. */
function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}
