/**
 * One file that a reconcile met: looked at by this process, its rows committed together with its neighbours', and by a job
 * of its own if that fails. Danger: a file that makes a group fail takes its neighbours' rows along, so it must not be
 * tried in one again.
 */
import { isDamaged } from '@vault-mcp/shared/index-db/open';
import type { Logger } from '@vault-mcp/shared/log';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import type { FileSync } from './sync-file.ts';

export interface MetFileDeps {
  readonly sync: Pick<FileSync, 'syncPath'>;
  readonly producer: Pick<JobProducer, 'add'>;
  readonly logger: Logger;
  /** A file has been looked at: something may wait for its vector. */
  readonly onSynced: () => void;
}

/**
 * @returns looks at one path; true when that was all, false when a job tries it again
 * @throws what no second try of this file cures: a damaged index, a queue that takes no job
 */
export function createMetFileSync({ sync, producer, logger, onSynced }: MetFileDeps) {
  return async (path: string): Promise<boolean> => {
    try {
      await sync.syncPath(path, { grouped: true });
    } catch (error) {
      if (isDamaged(error)) throw error;
      logger.warn({ err: error, path }, 'a file could not be indexed with its neighbours: trying it alone');
      await producer.add('sync-path', { path, source: 'scan' });
      return false;
    }
    onSynced();
    return true;
  };
}
