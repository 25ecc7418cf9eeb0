/** What a moved folder takes along unseen, in the words of a move's answer. */
import { type CarriedEntry, carriedAlong } from '@vault-mcp/shared/vault/carried-along';
import { shown, type VaultPath } from '@vault-mcp/shared/vault/path';
import type { Vault } from '@vault-mcp/shared/vault/vault';
import type { LeftBehind } from './left-behind.ts';

const REASONS: Readonly<Record<CarriedEntry['what'], string>> = {
  hidden: 'is hidden or cannot be named: it goes along as it is, with no links rewritten in it',
  link: 'is a symbolic link: it goes along as it is, and may lead elsewhere or nowhere from there',
  other: 'is neither file nor folder: it goes along as it is',
};

/**
 * @param source a folder, where it is now
 * @param destination where it is afterwards
 */
export async function carriedEntries(vault: Vault, source: VaultPath, destination: VaultPath): Promise<LeftBehind[]> {
  const carried = await carriedAlong(vault, source);
  return carried.map(({ path, what }) => ({
    path: shown(`${destination}/${path}`),
    line: null,
    reason: REASONS[what],
  }));
}
