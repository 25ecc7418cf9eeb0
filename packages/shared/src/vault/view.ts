/**
 * The vault as one caller may see it: what is not readable is not there. Danger: every operation of an agent is given a
 * view and asks no further, so whatever gets past it is read.
 */
import { type Access, EVERYTHING } from './access.ts';
import type { Vault } from './vault.ts';

/** @param vault the whole one or any view of it; a view of a view sees no less and no more than `access` lets it */
export function viewOf(vault: Vault, access: Access): Vault {
  const { whole } = vault;
  if (access === EVERYTHING) return whole;
  return { ...whole, access, whole, locate: (path, options = {}) => whole.locate(path, { ...options, access }) };
}
