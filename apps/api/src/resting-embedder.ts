/**
 * An embedder whose queries rest after a failure: while it is known to be away, searches answer by words at once instead
 * of waiting for the time-out each. Danger: too long a rest hides that it is back, so after it one query tries again.
 */
import { type Embedder, EmbedderError } from '@vault-mcp/shared/embedding/embedder';
import { withQuery } from './with-query.ts';

/** A person who searches again within this time would only wait again. */
const REST_MS = 10_000;

/** @param now clock in milliseconds; tests pass their own */
export function restingEmbedder(embedder: Embedder, now: () => number = Date.now): Embedder {
  let restsUntil = 0;
  return withQuery(embedder, async (text, signal) => {
    if (now() < restsUntil) throw new EmbedderError('unreachable', 'The embedder did not answer a moment ago.');
    try {
      const vector = await embedder.embedQuery(text, signal);
      restsUntil = 0;
      return vector;
    } catch (error) {
      restsUntil = now() + REST_MS;
      throw error;
    }
  });
}
