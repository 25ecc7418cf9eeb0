/** A vault made by hand or out of another one, for tests: whole, and open to everything unless its parts say otherwise. */
import { EVERYTHING } from '@vault-mcp/shared/vault/access';
import type { Vault } from '@vault-mcp/shared/vault/vault';

/** @param parts may be another vault's with some replaced; that vault's `whole` is not taken over, since it is another one */
export function asVault(parts: Omit<Vault, 'access' | 'whole'> & Partial<Pick<Vault, 'access' | 'whole'>>): Vault {
  const vault: Vault = {
    access: EVERYTHING,
    ...parts,
    get whole() {
      return vault;
    },
  };
  return vault;
}
