/**
 * What operations are given, without any transport: over a real folder with no index but what a test puts there, or
 * over whatever vault, index and queue a test already runs.
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OperationContext } from '@vault-mcp/api/context';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import { silentLogger } from '@vault-mcp/shared/log';
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { afterAll, beforeAll } from 'vitest';
import { testConfig } from './indexed-vault.ts';
import { createTempFolder } from './temp-folder.ts';
import { fillVault, type PutFile, type VaultFiles } from './vault-files.ts';

export interface ReadingContext {
  readonly context: OperationContext;
  readonly put: PutFile;
  remove(): Promise<void>;
}

/** The parts that have to be opened by somebody; the rest of a context follows from them. */
export type OpenParts = Pick<OperationContext, 'config' | 'reader' | 'embedder' | 'queue'>;

/** @param overrides parts to replace, such as an embedder that fails */
export async function operationContext(
  { config, reader, embedder, queue }: OpenParts,
  overrides: Partial<OperationContext> = {},
): Promise<OperationContext> {
  return {
    ...{ config, reader, embedder, queue },
    log: silentLogger(),
    vault: await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes }),
    analyzer: createAnalyzer(config.search.language),
    settingFiles: [],
    ...overrides,
  };
}

/** @param env environment variables of the configuration */
export async function readingContext(
  files: VaultFiles,
  env: Readonly<Record<string, string>> = {},
): Promise<ReadingContext> {
  const folder = await createTempFolder('reading');
  const config = testConfig(folder.path, env);
  const put = fillVault(config.vault.path, files);
  await mkdir(dirname(config.index.path), { recursive: true });
  const reader = openIndexReader(config.index.path);
  const queue = createInMemoryQueue();
  return {
    context: await operationContext({ config, reader, embedder: null, queue }),
    put,
    async remove() {
      reader.close();
      await queue.close();
      await folder.remove();
    },
  };
}

/** The same for a whole test file: made before its first test, removed after its last. */
export function readingSuite(
  files: VaultFiles,
  env: Readonly<Record<string, string>> = {},
): Omit<ReadingContext, 'remove'> {
  let made: ReadingContext | undefined;
  const current = (): ReadingContext => {
    if (made === undefined) throw new Error('The context exists within a test only.');
    return made;
  };
  beforeAll(async () => {
    made = await readingContext(files, env);
  });
  afterAll(() => made?.remove());
  return {
    get context() {
      return current().context;
    },
    put: (path, content) => current().put(path, content),
  };
}
