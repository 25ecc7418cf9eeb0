/**
 * Our whole search with the built-in model, for what it finds and not for how fast: the search that HTTP calls, asked for a page of
 * ten, over vectors that are kept from run to run.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstPage } from '../../relevance/arms.mjs';
import { indexVault } from '../../relevance/index-vault.mjs';

/** @param {{vectors: string}} options the file they are kept in */
export async function prepare({ vectors }) {
  return async (folder) => {
    const data = mkdtempSync(join(tmpdir(), 'vault-mcp-peers-page-'));
    const say = (line) => process.stderr.write(`  ${line}\n`);
    const indexed = await indexVault({ vault: folder, data, embedding: { EMBED_PROVIDER: 'builtin' }, vectors, say });
    return {
      async ask(query) {
        const results = await firstPage(indexed.dependencies, query);
        return [...new Set(results.map(({ path }) => path))];
      },
      close: () => indexed.close(),
    };
  };
}
