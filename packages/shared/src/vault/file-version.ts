/**
 * Which version of a file stands somewhere: by its bytes, which is the etag callers know, and by its stat, which is
 * enough to see that another program wrote in between. Danger: the second is a glance, good only for the moment between
 * a read and a rename.
 */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { openLeaf } from './open-leaf.ts';
import type { Located, Vault, VaultStat } from './vault.ts';

/**
 * Hex SHA-256 of a file's bytes, hashed as they come (a file may be larger than memory), and the stat before the first
 * of them.
 *
 * @throws like openLeaf
 */
export async function fileVersion(vault: Vault, file: Located): Promise<{ sha256: string; stat: VaultStat }> {
  const { handle, stat } = await openLeaf(vault, file);
  const hash = createHash('sha256');
  // The stream closes the handle, also when it fails.
  for await (const part of handle.createReadStream()) hash.update(part as Buffer);
  return { sha256: hash.digest('hex'), stat };
}

/** Whether a stat is that of the file that was read, as it was then. */
export function isVersion(now: Stats, { inode, size, mtimeMs, ctimeMs }: VaultStat): boolean {
  return now.isFile() && now.ino === inode && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs;
}
