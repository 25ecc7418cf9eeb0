/**
 * One file that a reconcile met: looked at by this process, its rows committed together with its neighbours', and by a job
 * of its own if that fails for a reason of its own. Danger: a file that makes a group fail takes its neighbours' rows along,
 * so it must not be tried in one again; and what every file would fail of must not become a job and a line of log for each.
 */
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import { isOutage, VAULT_GONE } from './outage.ts';
import type { FileSync, SyncOutcome } from './sync-file.ts';

export interface MetFileDeps {
  readonly sync: Pick<FileSync, 'syncPath'>;
  readonly producer: Pick<JobProducer, 'add'>;
  readonly logger: Logger;
  /** A file has been looked at: something may wait for its vector. */
  readonly onSynced: () => void;
}

/**
 * @returns looks at one path; true when that was all, false when a job tries it again
 * @throws what no second try of this file cures and the next one would meet as well: a damaged index, a full disk, a queue
 * that takes no job, a vault that is gone
 */
export function createMetFileSync({ sync, producer, logger, onSynced }: MetFileDeps) {
  /** Failed for a reason of their own when they were last met: no job tells how it went on. */
  const alone = new Set<string>();
  return async (path: string): Promise<boolean> => {
    // Most files are read, described and stored without a wait: news, timers and a stop get their turn between them.
    await new Promise(setImmediate);
    let outcome: SyncOutcome;
    try {
      outcome = await sync.syncPath(path, { grouped: !alone.has(path) });
    } catch (error) {
      if (isOutage(error)) throw error;
      alone.add(path);
      // First: with Redis away neither this job nor the extraction that failed of it finds a queue.
      await producer.add('sync-path', { path, source: 'scan' });
      logger.warn({ err: error, path }, 'a file could not be indexed with its neighbours: trying it alone');
      return false;
    }
    alone.delete(path);
    if (outcome === 'vault_gone') throw new Error(VAULT_GONE);
    onSynced();
    return true;
  };
}
