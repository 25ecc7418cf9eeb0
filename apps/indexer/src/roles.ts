/** What a process of this program takes part in. Pure; which combinations there are is decided in config/cross-rules. */
import { INDEXER_ROLES } from '@vault-mcp/shared/config/sections/indexing';

export type IndexerRole = (typeof INDEXER_ROLES)[number];

/** What a process that works alone does. */
export const ALL_ROLES: readonly IndexerRole[] = INDEXER_ROLES;

/** Whether this process writes the index (and then watches the vault too), or only works for the one that does. */
export function isWriter(roles: readonly IndexerRole[]): boolean {
  return roles.includes('write');
}
