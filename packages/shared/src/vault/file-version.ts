/**
 * Which version of a file stands somewhere: by its bytes, which is the etag callers know, and by its stat, which is
 * enough to see that another program wrote in between. Danger: the second is a glance, good only for the moment between
 * a read and a rename.
 */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { openLeaf } from './open-leaf.ts';
import type { Located, Vault, VaultStat } from './vault.ts';

/** Hex SHA-256 of a file's bytes, hashed as they come: attachments may be larger than memory. @throws like openLeaf */
export async function fileEtag(vault: Vault, file: Located): Promise<string> {
  const { handle } = await openLeaf(vault, file);
  const hash = createHash('sha256');
  // The stream closes the handle, also when it fails.
  for await (const part of handle.createReadStream()) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** Whether a name still stands for the file that was read. @throws the file system's error when it is gone */
export async function isUnchanged(leaf: string, read: VaultStat): Promise<boolean> {
  const now = await lstat(leaf);
  const { size, mtimeMs, ctimeMs } = read;
  return (
    now.isFile() && now.ino === read.inode && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs
  );
}
