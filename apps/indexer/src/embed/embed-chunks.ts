/**
 * The embed lane's work: texts in, a `store-vectors` job out. Needs the embedder and the queue, nothing of the vault.
 * Danger: the embedder has its own retries, so a failure here is final for now and must reach the writer as such, or
 * the contents would count as under way for ever.
 */
import type { Embedder, EmbedOutcome } from '@vault-mcp/shared/embedding/embedder';
import { EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import type { JobPayload } from '@vault-mcp/shared/queue/jobs';
import type { JobProducer } from '@vault-mcp/shared/queue/producer';
import { encodeVector } from './vector-codec.ts';

type StoredVector = JobPayload<'store-vectors'>['vectors'][number];

/** @throws what the queue throws when the results cannot be handed on; the job then runs again */
export async function embedChunks(
  { space, items }: JobPayload<'embed-chunks'>,
  deps: { embedder: Embedder; producer: JobProducer; signal: AbortSignal },
): Promise<void> {
  const vectors = await outcomes(items, space, deps.embedder, deps.signal);
  await deps.producer.add('store-vectors', { space, vectors });
}

async function outcomes(
  items: JobPayload<'embed-chunks'>['items'],
  space: string,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<StoredVector[]> {
  if (embedder.space !== space) {
    const retry =
      'The worker that took this text embeds with another model or prefix than the indexer; set both alike.';
    return items.map(({ key }) => ({ key, retry }));
  }
  try {
    const results = await embedder.embedDocuments(
      items.map(({ text }) => text),
      signal,
    );
    return items.map(({ key }, at) => toStored(key, results[at]));
  } catch (error) {
    if (!(error instanceof EmbedderError) || error.kind === 'aborted') throw error;
    return items.map(({ key }) => ({ key, retry: error.message }));
  }
}

function toStored(key: string, outcome: EmbedOutcome | undefined): StoredVector {
  if (!outcome) return { key, error: 'The embedder gave no answer for this text.' };
  return 'vector' in outcome ? { key, vector: encodeVector(outcome.vector) } : { key, error: outcome.error };
}
