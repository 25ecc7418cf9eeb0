/**
 * The dense arm: the query's vector, then its nearest chunks. Danger: the embedder is the one dependency of a search
 * that can hang, die or answer nonsense, so whatever it does becomes a reason for a words-only answer, never an error;
 * and vectors of another space must never be compared with.
 */
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';
import type { IndexReader } from '@vault-mcp/shared/index-db/reader';
import type { DenseCandidate, SearchFilter } from '@vault-mcp/shared/index-db/rows';
import { unusable } from '@vault-mcp/shared/index-db/signature';
import { type Logger, reasonOf } from '@vault-mcp/shared/log';
import { firstCharacters } from './query-text.ts';

/** Why an answer is less than whole. */
export type DegradedReason = 'embedder_unreachable' | 'vectors_pending';

/** A model's context is some 500 to 8 000 tokens; what a query asks stands in its first page. */
const EMBEDDED_CHARACTERS = 2000;

export type QueryVector = { readonly vector: Float32Array } | { readonly degraded: DegradedReason };

/**
 * Embeds the query, or says why it could not be in time. Never rejects.
 * @param timeoutSeconds `search.embed_timeout_seconds`
 */
export async function embedQuery(
  embedder: Embedder,
  text: string,
  timeoutSeconds: number,
  log: Logger,
): Promise<QueryVector> {
  const signal = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000));
  try {
    // Raced as well as signalled: an embedder that ignores its signal must not hold the answer up.
    const vector = await Promise.race([
      embedder.embedQuery(firstCharacters(text, EMBEDDED_CHARACTERS), signal),
      rejectOnAbort(signal),
    ]);
    const reason = unusable(vector, embedder.dims);
    if (reason !== null) throw new Error(reason);
    return { vector };
  } catch (error) {
    // Each search meets an outage; that there is one is said by whoever watches the embedder.
    log.debug({ reason: reasonOf(error) }, 'query not embedded: words only');
    return { degraded: 'embedder_unreachable' };
  }
}

/**
 * Nearest chunks, nearest first.
 * @param distanceCeiling candidates farther than this cosine distance are dropped; undefined = none are
 */
export function nearestChunks(
  reader: Pick<IndexReader, 'denseCandidates'>,
  vector: Float32Array,
  filter: SearchFilter,
  limit: number,
  distanceCeiling: number | undefined,
): DenseCandidate[] {
  const nearest = reader.denseCandidates(vector, filter, limit);
  return distanceCeiling === undefined ? nearest : nearest.filter(({ distance }) => distance <= distanceCeiling);
}

/** Whether the index holds vectors that this embedder's may be compared with. */
export function sharesSpace(reader: Pick<IndexReader, 'space'>, embedder: Embedder): boolean {
  return reader.space() === embedder.space;
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
