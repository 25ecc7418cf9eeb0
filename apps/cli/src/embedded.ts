/**
 * The parts of the embedded program around one vault: the model on a thread of its own, the indexer on another, and
 * what requests work on in this one. Used by `serve` and `mcp`. Danger: parts close in the reverse order of opening,
 * and the indexer last of those that write.
 */
import type { ServedContext } from '@vault-mcp/api/context';
import { openWriting, type Writing } from '@vault-mcp/api/open-writing';
import { rebuildDamagedIndex } from '@vault-mcp/api/rebuild-damaged-index';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { settingFiles } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { BuiltinEmbedder } from '@vault-mcp/shared/embedding/builtin';
import { createEmbedder } from '@vault-mcp/shared/embedding/choose';
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import { openIndexReader } from '@vault-mcp/shared/index-db/reader';
import type { Logger } from '@vault-mcp/shared/log';
import { openVault, type Vault } from '@vault-mcp/shared/vault/vault';
import { type IndexerThread, startIndexerThread } from './indexer-thread.ts';

export interface Embedded {
  readonly context: ServedContext;
  /** Finishes the indexer's job in hand and closes everything opened here. */
  close(options: { timeoutMs: number }): Promise<void>;
}

/**
 * @param options.whenLocked see indexer-thread.ts
 * @throws AppError when the vault cannot be opened, EmbedderError, CliError when the indexer refuses to start
 */
export async function openEmbedded(
  config: Config,
  log: Logger,
  options: { whenLocked: 'refuse' | 'wait' },
): Promise<Embedded> {
  const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
  const writing = await openWriting(config, vault, log);
  try {
    return await openAround(vault, writing, config, log, options);
  } catch (error) {
    writing.close();
    throw error;
  }
}

async function openAround(
  vault: Vault,
  writing: Writing,
  config: Config,
  log: Logger,
  options: { whenLocked: 'refuse' | 'wait' },
): Promise<Embedded> {
  const embedder = await createEmbedder(config.embedding, {
    logger: log,
    queryTimeoutSeconds: config.search.embed_timeout_seconds,
  });
  const openModelPort = isBuiltin(embedder) ? () => embedder.openPort() : null;
  let thread: IndexerThread;
  try {
    thread = await startIndexerThread({ config, log, openModelPort, whenLocked: options.whenLocked });
  } catch (error) {
    await embedder.close();
    throw error;
  }
  const queue = thread.producer;
  const reader = openIndexReader(config.index.path, {
    onDamaged: rebuildDamagedIndex({ indexPath: config.index.path, queue, log }),
  });
  reader.prepareDense();
  const analyzer = createAnalyzer(config.search.language);
  const close = async ({ timeoutMs }: { timeoutMs: number }) => {
    await thread.stop({ timeoutMs });
    reader.close();
    await embedder.close();
  };
  const parts = { config, log, vault, reader, analyzer, embedder, queue, settingFiles: settingFiles() };
  const context = { ...parts, ...writing.parts };
  try {
    await writing.recover(context);
  } catch (error) {
    await close({ timeoutMs: 0 });
    throw error;
  }
  return {
    context,
    async close(stop) {
      await close(stop);
      writing.close();
    },
  };
}

function isBuiltin(embedder: Embedder): embedder is BuiltinEmbedder {
  return 'openPort' in embedder;
}
