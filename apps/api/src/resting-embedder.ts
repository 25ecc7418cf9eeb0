/**
 * An embedder whose queries rest after a failure: while it is known to be away, searches answer by words at once instead
 * of waiting for the time-out each. Danger: too long a rest hides that it is back, so after it one query tries again.
 */
import { type Embedder, EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { createOutageLog, type Logger, reasonOf } from '@vault-mcp/shared/log';
import { withQuery } from './with-query.ts';

/** A person who searches again within this time would only wait again. */
const REST_MS = 10_000;
const TOO_SLOW = 'The embedder did not answer in time (search.embed_timeout_seconds).';

/**
 * @param log told when it goes away and when it is back, and of nothing in between
 * @param now clock in milliseconds; tests pass their own
 */
export function restingEmbedder(
  embedder: Embedder,
  log: Pick<Logger, 'warn' | 'info'>,
  now: () => number = Date.now,
): Embedder {
  const { provider, model } = embedder;
  const outage = createOutageLog(
    log,
    { away: 'no vectors for queries: searches go by words', back: 'queries have vectors again' },
    { provider, model },
  );
  let restsUntil = 0;
  return withQuery(embedder, async (text, signal) => {
    if (now() < restsUntil) throw new EmbedderError('unreachable', 'The embedder did not answer a moment ago.');
    try {
      const vector = await embedder.embedQuery(text, signal);
      restsUntil = 0;
      outage.back();
      return vector;
    } catch (error) {
      restsUntil = now() + REST_MS;
      outage.away(signal?.aborted ? TOO_SLOW : reasonOf(error));
      throw error;
    }
  });
}
