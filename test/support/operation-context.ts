/** What operations are given, over a real indexed vault: for tests that call operations without any transport. */
import type { OperationContext } from '@vault-mcp/api/context';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { silentLogger } from '@vault-mcp/shared/log';
import { openVault } from '@vault-mcp/shared/vault/vault';
import type { IndexedVault } from './indexed-vault.ts';

/** @param overrides parts to replace, such as an embedder that fails */
export async function operationContext(
  indexed: IndexedVault,
  overrides: Partial<OperationContext> = {},
): Promise<OperationContext> {
  const { config, reader, embedder, queue } = indexed;
  return {
    config,
    log: silentLogger(),
    vault: await openVault(indexed.vaultPath, { docSuffixes: config.vault.doc_suffixes }),
    reader,
    analyzer: createAnalyzer(config.search.language),
    embedder,
    queue,
    ...overrides,
  };
}
