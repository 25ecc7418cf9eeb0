/** A real in-memory queue that remembers of which files it was told. */
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';

export interface RecordingQueue extends JobQueue {
  /** Paths of all `sync-path` jobs so far, in the order they were added. A reconcile looks at files without any. */
  readonly synced: string[];
}

export function createRecordingQueue(): RecordingQueue {
  const queue = createInMemoryQueue();
  const synced: string[] = [];
  return {
    ...queue,
    synced,
    async add(name, payload) {
      if (name === 'sync-path') synced.push((payload as JobPayload<'sync-path'>).path);
      await queue.add(name, payload);
    },
  };
}
