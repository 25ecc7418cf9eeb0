/**
 * The embed lane's work: texts in, a `store-vectors` job out. Needs the embedder and the queue, nothing of the vault.
 * Danger: the embedder has its own retries, so a failure here is final for now and must reach the writer as such, or
 * the contents would count as under way for ever; and a process that cannot embed must not go on taking jobs from those
 * that can.
 */
import { hostname } from 'node:os';
import type { Embedder, EmbedOutcome } from '@vault-mcp/shared/embedding/embedder';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { createOutageLog, type Logger, type OutageLog } from '@vault-mcp/shared/log';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobContext, JobProducer } from '@vault-mcp/shared/queue/producer';
import { encodeVector } from './vector-codec.ts';

type StoredVector = JobPayload<'store-vectors'>['vectors'][number];

export interface EmbedChunksDeps {
  readonly embedder: Embedder;
  readonly producer: Pick<JobProducer, 'add'>;
  readonly logger: Logger;
  /** How long this process leaves the lane to others after its embedder failed as a whole. */
  readonly restMs: number;
  /** Told of each answer and each failure of the embedder; one for all jobs of a process. */
  readonly outage: OutageLog;
  /** Clock in milliseconds; tests pass their own. */
  readonly now?: () => number;
}

/** For the `outage` of one embedder. */
export function embedderOutage(embedder: Embedder, logger: Logger): OutageLog {
  const { provider, model } = embedder;
  const words = { away: 'texts get no vectors: trying on', back: 'texts get vectors again' };
  return createOutageLog(logger, words, { provider, model });
}

/** How long a worker that embeds in another space leaves the lane to others before it looks again. */
export const MISFIT_REST_MS = 15_000;

/** @throws what the queue throws when the results cannot be handed on; the job then runs again */
export async function embedChunks(
  payload: JobPayload<'embed-chunks'>,
  deps: EmbedChunksDeps,
  context: Pick<JobContext, 'signal' | 'rest'>,
): Promise<void> {
  await deps.producer.add('store-vectors', await answer(payload, deps, context));
}

async function answer(
  { space, items }: JobPayload<'embed-chunks'>,
  { embedder, logger, restMs, outage, now = performance.now.bind(performance) }: EmbedChunksDeps,
  { signal, rest }: Pick<JobContext, 'signal' | 'rest'>,
): Promise<JobPayload<'store-vectors'>> {
  if (embedder.space !== space) {
    // Vectors of another space would rank nonsense without a word, so there is no answer but the reason.
    rest(MISFIT_REST_MS);
    const retry = misfitReason(embedder);
    logger.error({ model: embedder.model, dims: embedder.dims }, retry);
    return { space, misfit: true, vectors: items.map(({ key }) => ({ key, retry })) };
  }
  const started = now();
  const seconds = () => (now() - started) / 1000;
  try {
    const results = await embedder.embedDocuments(
      items.map(({ text }) => text),
      signal,
    );
    outage.back();
    return { space, vectors: items.map(({ key }, at) => toStored(key, results[at])), seconds: seconds() };
  } catch (error) {
    if (!(error instanceof EmbedderError) || error.kind === 'aborted') throw error;
    rest(restMs);
    outage.away(error.message);
    return { space, vectors: items.map(({ key }) => ({ key, retry: error.message })), seconds: seconds() };
  }
}

function misfitReason({ model, dims }: Embedder): string {
  return (
    `The embed worker on ${hostname()} makes vectors of ${dims} dimensions with ${model}, which are not this index's: set ` +
    'EMBED_MODEL, EMBED_DIMS, EMBED_QUERY_PREFIX and EMBED_DOCUMENT_PREFIX there as for the indexer that writes.'
  );
}

function toStored(key: string, outcome: EmbedOutcome | undefined): StoredVector {
  if (!outcome) return { key, error: 'The embedder gave no answer for this text.' };
  return 'vector' in outcome ? { key, vector: encodeVector(outcome.vector) } : { key, error: outcome.error };
}
