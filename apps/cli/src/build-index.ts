/**
 * Brings the index up to date and waits for it: through the server that holds the data folder, else in this process.
 * What `reindex`, `doctor` and a first `search` have in common.
 */
import type { Config } from '@vault-mcp/shared/config/schema';
import type { Logger } from '@vault-mcp/shared/log';
import { CliError, EXIT } from './exit-codes.ts';
import { type IndexProgress, waitForIndex } from './indexing-progress.ts';
import { type LocalIndex, openLocalIndex } from './local-index.ts';
import { createProgress } from './progress.ts';
import { progressOf, type ServerClient } from './server-client.ts';

export interface BuildOptions {
  readonly rebuild: boolean;
  readonly until: 'text' | 'vectors';
  readonly signal: AbortSignal;
}

/** @throws CliError when stopped or refused, AppError as the server answers */
export async function buildThroughServer(client: ServerClient, options: BuildOptions): Promise<IndexProgress> {
  const answer = await client.reindex({ rebuild: options.rebuild });
  if (answer.status === 'deferred') throw new CliError(EXIT.failed, answer.detail);
  return awaitIndex(async () => progressOf(await client.status()), options);
}

/**
 * @param use works on the index while it is still open, after the wait
 * @throws WriterLockedError when another process that is no server writes this index; CliError when stopped
 */
export async function buildLocally<T>(
  config: Config,
  log: Logger,
  options: BuildOptions,
  use: (local: LocalIndex, progress: IndexProgress) => Promise<T> | T,
): Promise<T> {
  const local = await openLocalIndex(config, log, { watch: false });
  try {
    await local.reconcile({ rebuild: options.rebuild });
    const used = await use(local, await awaitIndex(local.progress, options));
    await local.settle();
    return used;
  } finally {
    await local.close();
  }
}

/** @throws CliError when stopped */
export async function awaitIndex(read: () => Promise<IndexProgress>, options: BuildOptions): Promise<IndexProgress> {
  try {
    return await waitForIndex({ read, progress: createProgress(), until: options.until, signal: options.signal });
  } catch (error) {
    if (options.signal.aborted) throw new CliError(EXIT.failed, 'Stopped before the end; what is done is kept.');
    throw error;
  }
}
