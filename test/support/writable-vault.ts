/**
 * An empty vault with its writer and locks, and what tests of writing keep asking: what is in it now, and has a
 * refusal left everything as it was.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { openPathLocks, type PathLocks } from '@vault-mcp/shared/vault/lock';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import { createVaultWriter, type VaultWriter } from '@vault-mcp/shared/vault/write';
import { expect } from 'vitest';
import { createTempFolder } from './temp-folder.ts';
import { fillVault, type VaultFiles } from './vault-files.ts';

/** Largest note of this vault, in bytes. */
export const NOTE_MAX_BYTES = 1000;

export interface WritableVault {
  /** A folder around vault and data, for what has to stand outside. */
  readonly outside: string;
  readonly root: string;
  readonly dataPath: string;
  readonly vault: Vault;
  readonly locks: PathLocks;
  readonly writer: VaultWriter;
  put(files: VaultFiles): Promise<void>;
  read(path: string): Promise<string>;
  /** Every entry by its path: a file's bytes, a link's target, `/` for a folder. */
  everything(): Promise<Record<string, string>>;
  /** Does something that has to be refused with this code, and makes sure that nothing has changed. */
  refused(call: () => Promise<unknown>, code: string, message?: RegExp): Promise<void>;
  remove(): Promise<void>;
}

export async function createWritableVault(): Promise<WritableVault> {
  const folder = await createTempFolder('write');
  const root = join(folder.path, 'vault');
  const dataPath = join(folder.path, 'data');
  fillVault(root);
  const locks = await openPathLocks(dataPath);
  const vault = await openVault(root, { docSuffixes: ['.pdf'] });
  const everything = () => contentOf(root);
  return {
    ...{ outside: folder.path, root, dataPath, vault, locks, everything },
    writer: createVaultWriter(vault, { locks, noteMaxBytes: NOTE_MAX_BYTES }),
    read: (path) => readFile(join(root, path), 'utf8'),
    put: async (files) => {
      fillVault(root, files);
    },
    async refused(call, code, message = /./) {
      const before = await everything();
      await expect(call()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
      expect(await everything()).toEqual(before);
    },
    async remove() {
      locks.close();
      await folder.remove();
    },
  };
}

/** Every entry below a folder by its path: a file's bytes, a link's target, `/` for a folder. */
export async function contentOf(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const pairs = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (entry.isFile()) return [name, await readFile(path, 'latin1')] as const;
    return [name, entry.isSymbolicLink() ? `-> ${await readlink(path)}` : '/'] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}
