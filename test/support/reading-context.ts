/** What reading operations are given, over a real folder and (unless a test makes one) no index: files are the truth. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OperationContext } from '@vault-mcp/api/context';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { testConfig } from './indexed-vault.ts';
import { createTempFolder } from './temp-folder.ts';

export interface ReadingContext {
  readonly context: OperationContext;
  /** Writes a file of the vault, folders included. */
  put(path: string, content: string | Uint8Array): Promise<void>;
  remove(): Promise<void>;
}

/**
 * @param files vault path → content
 * @param env environment variables of the configuration
 */
export async function readingContext(
  files: Readonly<Record<string, string | Uint8Array>>,
  env: Readonly<Record<string, string>> = {},
): Promise<ReadingContext> {
  const folder = await createTempFolder('reading');
  const put = async (path: string, content: string | Uint8Array) => {
    const absolute = join(folder.path, 'vault', path);
    await mkdir(dirname(absolute), { recursive: true });
    await writeFile(absolute, content);
  };
  for (const [path, content] of Object.entries(files)) await put(path, content);
  const config = testConfig(folder.path, env);
  await mkdir(dirname(config.index.path), { recursive: true });
  const reader = openIndexReader(config.index.path);
  const queue = createInMemoryQueue();
  return {
    context: {
      config,
      log: silentLogger(),
      vault: await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes }),
      reader,
      analyzer: createAnalyzer(config.search.language),
      embedder: null,
      queue,
    },
    put,
    async remove() {
      reader.close();
      await queue.close();
      await folder.remove();
    },
  };
}
