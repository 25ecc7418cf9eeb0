/**
 * Watches that what is being read still stands where it was asked for: nobody waits for the text of a document that has been
 * deleted or replaced, and reading a long scan to its end keeps all others waiting. Danger: a look that fails says nothing, so
 * only an answer about the path ends a reading.
 */
import { AppError } from '@vault-mcp/shared/errors';
import { parseVaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault, VaultStat } from '@vault-mcp/shared/vault/vault';

const LOOK_MS = 2_000;

/** Not there any more, or something else than a file in the vault's own folders by now. */
export const GONE: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'invalid_path']);

/** The reading was ended since its document is not there any more. */
export class NotInPlace extends Error {}

/**
 * @param stat of the file when it was opened
 * @param signal ends `work` as well
 * @param work is to end when its signal is aborted
 * @throws NotInPlace when it was ended for that; whatever `work` throws
 */
export async function whileInPlace<T>(
  { vault, path, stat }: { readonly vault: Vault; readonly path: string; readonly stat: VaultStat },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const timer = setInterval(() => {
    void isInPlace(vault, path, stat).then((isThere) => isThere || gone.abort(new NotInPlace('not in its place')));
  }, LOOK_MS);
  try {
    return await work(AbortSignal.any([signal, gone.signal]));
  } finally {
    clearInterval(timer);
  }
}

async function isInPlace(vault: Vault, path: string, opened: VaultStat): Promise<boolean> {
  try {
    const { stat } = await vault.locate(parseVaultPath(path), { hints: false });
    // Not the time of its last change of name or mode, which leaves its bytes as they are.
    return stat.inode === opened.inode && stat.size === opened.size && stat.mtimeMs === opened.mtimeMs;
  } catch (error) {
    return !(error instanceof AppError && GONE.has(error.code));
  }
}
