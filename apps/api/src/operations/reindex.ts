/**
 * Ask the indexer to reconcile the index with every file, or to build it anew. An operator's operation. Danger: the
 * queue may be away; a plain reconcile is then made up for by the indexer itself, a rebuild is not, and the answer says so.
 */
import { logDeferred } from '@vault-mcp/shared/queue/deferred';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';

export const reindexInput = z.strictObject({
  rebuild: z.boolean().optional().describe('Empty the index and build it anew from the files. Default false.'),
});

export interface ReindexAnswer {
  /** `queued`: the indexer has it; `deferred`: the queue takes no jobs just now. */
  readonly status: 'queued' | 'deferred';
  readonly detail: string;
}

export async function reindex(
  context: Pick<OperationContext, 'queue' | 'log'>,
  input: z.infer<typeof reindexInput>,
): Promise<ReindexAnswer> {
  const rebuild = input.rebuild ?? false;
  try {
    await context.queue.add('reconcile', rebuild ? { rebuild } : {});
  } catch (error) {
    logDeferred(context.log, error, 'reconcile could not be queued', { rebuild });
    return {
      status: 'deferred',
      detail: rebuild
        ? 'The queue takes no jobs just now, so the rebuild was not queued: ask again once GET /readyz says the queue is ok.'
        : 'The queue takes no jobs just now; the indexer reconciles by itself as soon as it does again.',
    };
  }
  return {
    status: 'queued',
    detail: rebuild
      ? 'The indexer will build the index anew; GET /readyz shows the progress.'
      : 'The indexer will reconcile the index with every file; GET /readyz shows the progress.',
  };
}
