/**
 * The folders that the index leaves out (`index.exclude_dirs`) and that are there, as the disk spells them. Nothing below
 * them is looked at.
 */
import { pathKey, type VaultPath, withoutOuterSlashes } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import { visibleEntries } from '@vault-mcp/shared/vault/walk-folder';

/** @returns each once, a folder within another one not at all; none that is dotted, a link or cannot be looked at */
export async function leftOutFolders(vault: Vault, excludeDirs: readonly string[]): Promise<string[]> {
  const keys = new Set(excludeDirs.map((dir) => pathKey(withoutOuterSlashes(dir))).filter((key) => key !== ''));
  const outermost = [...keys].filter((key) => !ancestorsOf(key).some((above) => keys.has(above)));
  const listed = new Map<string, Promise<VaultPath[]>>();
  const foldersIn = (folder: VaultPath) => {
    const known = listed.get(folder) ?? listFolders(vault, folder);
    listed.set(folder, known);
    return known;
  };
  const found = await Promise.all(outermost.map((key) => withKey(key, foldersIn)));
  return found.flat().sort();
}

async function withKey(key: string, foldersIn: (folder: VaultPath) => Promise<VaultPath[]>): Promise<VaultPath[]> {
  let found = ['' as VaultPath];
  for (const step of [...ancestorsOf(key), key]) {
    const below = await Promise.all(found.map(foldersIn));
    found = below.flat().filter((path) => pathKey(path) === step);
  }
  return found;
}

/** `a/b/c`: `a` and `a/b`. */
function ancestorsOf(key: string): string[] {
  const segments = key.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));
}

async function listFolders(vault: Vault, folder: VaultPath): Promise<VaultPath[]> {
  const entries = await visibleEntries(vault, folder, { wants: () => false });
  return entries.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
}
