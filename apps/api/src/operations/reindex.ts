/**
 * Ask the indexer to reconcile the index with every file, or to build it anew. An operator's operation. Danger: the
 * queue may be away; a plain reconcile is then made up for by the indexer itself, a rebuild is not, and the answer says so.
 */
import { reasonOf } from '@vault-mcp/shared/log';
import { z } from 'zod';
import type { OperationContext } from '../context.ts';

export const reindexInput = z.strictObject({
  rebuild: z.boolean().optional().describe('Empty the index and build it anew from the files. Default false.'),
});

export interface ReindexAnswer {
  /** `queued`: the indexer has it; `deferred`: the queue cannot be reached just now. */
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
    context.log.warn({ reason: reasonOf(error), rebuild }, 'reconcile could not be queued');
    return {
      status: 'deferred',
      detail: rebuild
        ? 'The queue cannot be reached, so the rebuild was not queued: ask again once GET /readyz says the queue is ok.'
        : 'The queue cannot be reached; the indexer reconciles by itself as soon as it is back.',
    };
  }
  return {
    status: 'queued',
    detail: rebuild
      ? 'The indexer will build the index anew; GET /readyz shows the progress.'
      : 'The indexer will reconcile the index with every file; GET /readyz shows the progress.',
  };
}
