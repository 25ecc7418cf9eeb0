/** Files of a test's vault, written as a person's editor would: straight to the disk, folders included. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Vault path → content. */
export type VaultFiles = Readonly<Record<string, string | Uint8Array>>;

export type PutFile = (path: string, content: string | Uint8Array) => void;

/**
 * Makes the vault's folder with these files in it.
 * @returns writes one more file, or another content
 */
export function fillVault(root: string, files: VaultFiles = {}): PutFile {
  const put: PutFile = (path, content) => {
    const absolute = join(root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
  };
  mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) put(path, content);
  return put;
}
