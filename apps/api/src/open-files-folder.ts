/**
 * Opens the folder beside the vault that files_write may write into. Danger: what is written there passes by the vault's
 * locks, scopes and records, so it must not be reached by links either from one to the other.
 */
import type { Config } from '@vault-mcp/shared/config/schema';
import type { PathLocks } from '@vault-mcp/shared/vault/lock';
import { type Mount, probeFolder } from '@vault-mcp/shared/vault/mount-probe';
import { isWithin, realPlace } from '@vault-mcp/shared/vault/real-place';
import { openVault, VaultOpenError } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter } from '@vault-mcp/shared/vault/write';
import type { FilesFolder } from './context.ts';

/**
 * Makes the folder where it is missing.
 *
 * @returns null where none is configured, or nothing may be written
 * @throws MountError when it cannot be written; VaultOpenError when it and the vault or data folder are not apart
 */
export async function openFilesFolder(config: Config, locks: PathLocks): Promise<FilesFolder | null> {
  const { root } = config.files;
  if (root === null || config.server.read_only) return null;
  await requireApart(config, root);
  await probeFolder(filesMount(root));
  const vault = await openVault(root, { docSuffixes: [] });
  return { vault, writer: createVaultWriter(vault, { locks, noteMaxBytes: 0 }) };
}

const filesMount = (folder: string): Mount => ({
  what: 'folder for files',
  folder,
  otherwise: 'set files.root (FILES_ROOT) to another',
});

/** The configuration has compared the paths as they are written; this is where they lead. */
async function requireApart({ vault, data }: Config, root: string): Promise<void> {
  const place = await realPlace(root);
  for (const [key, path] of Object.entries({ 'vault.path': vault.path, 'data.path': data.path })) {
    const other = await realPlace(path);
    if (!isWithin(other, place) && !isWithin(place, other)) continue;
    throw new VaultOpenError(
      `files.root "${root}" and ${key} lead into each other, by a link: choose another folder for FILES_ROOT.`,
    );
  }
}
