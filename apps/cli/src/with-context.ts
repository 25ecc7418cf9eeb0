/**
 * The vault, its index and its records, for a command that changes notes while no server runs. Danger: it takes the index
 * writer's lock, so it is not for a data folder that a server holds: a command asks that server first.
 */
import type { ServedContext } from '@vault-mcp/api/context';
import { openWriting } from '@vault-mcp/api/open-writing';
import { createAnalyzer } from '@vault-mcp/shared/analysis/analyzer';
import { settingFiles } from '@vault-mcp/shared/config/load';
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { openVault } from '@vault-mcp/shared/vault/vault';
import { buildLocally } from './build-index.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { listenForStop } from './stop-signal.ts';

/**
 * Brings the index up to date, completes what crashes left, and does some work.
 *
 * @throws WriterLockedError when another program works on this index; RecordOpenError, MountError, CliError when stopped; what
 * `work` throws
 */
export function withContext<T>(config: Config, log: Logger, work: (context: ServedContext) => Promise<T>): Promise<T> {
  const { signal } = listenForStop();
  return buildLocally(config, log, { rebuild: false, until: 'vectors', signal }, async (local) => {
    const { reader, embedder, queue } = local;
    const vault = await openVault(config.vault.path, { docSuffixes: config.vault.doc_suffixes });
    const writing = await openWriting(config, vault, log);
    signal.addEventListener('abort', writing.stop, { once: true });
    try {
      if (signal.aborted) writing.stop();
      const analyzer = createAnalyzer(config.search.language);
      const parts = { config, log, vault, reader, analyzer, embedder, queue, settingFiles: settingFiles() };
      const context = { ...parts, ...writing.parts };
      await writing.recover(context);
      return await work(context);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new CliError(EXIT.failed, 'Stopped before the end; what is done is kept.', { cause: error });
    } finally {
      writing.close();
    }
  });
}
