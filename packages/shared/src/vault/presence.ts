/**
 * Whether the vault's folder is there at all. Danger: a drive that was unmounted leaves an empty folder behind, which
 * looks like a vault whose every note was deleted; whoever draws conclusions from missing files must ask here first.
 */
import { readdir, stat } from 'node:fs/promises';

export interface VaultPresence {
  /** Never rejects: a folder that cannot be looked at is not there. */
  isThere(): Promise<boolean>;
}

/** @param root resolved root of a vault that is there now */
export async function observePresence(root: string): Promise<VaultPresence> {
  const { dev } = await stat(root);
  return {
    async isThere() {
      try {
        const now = await stat(root);
        if (!now.isDirectory()) return false;
        // Another device: an unmounted drive's mount point is empty; one mounted anew has the notes.
        return now.dev === dev || (await readdir(root)).length > 0;
      } catch {
        return false;
      }
    },
  };
}
