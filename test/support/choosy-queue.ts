/** A real in-memory queue that lets the test decide, job by job, what becomes of it before it is taken. */
import { createInMemoryQueue } from '@vault-mcp/shared/queue/in-memory';
import type { JobName } from '@vault-mcp/shared/queue/jobs';
import type { JobQueue } from '@vault-mcp/shared/queue/producer';

/** @param before resolves when a job of this name may be taken; rejects with the reason why it is refused */
export function createChoosyQueue(before: (name: JobName) => Promise<void>): JobQueue {
  const queue = createInMemoryQueue();
  return {
    ...queue,
    async add(name, payload) {
      await before(name);
      await queue.add(name, payload);
    },
  };
}
