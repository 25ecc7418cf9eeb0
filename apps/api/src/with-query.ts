/**
 * An embedder with another way to embed queries; everything else is its own. Danger: methods are handed on by call, not
 * copied, since an embedder may keep its state behind `this`.
 */
import type { Embedder } from '@vault-mcp/shared/embedding/embedder';

export function withQuery(embedder: Embedder, embedQuery: Embedder['embedQuery']): Embedder {
  return {
    provider: embedder.provider,
    model: embedder.model,
    dims: embedder.dims,
    space: embedder.space,
    embedDocuments: (texts, signal) => embedder.embedDocuments(texts, signal),
    embedQuery,
    health: () => embedder.health(),
    close: () => embedder.close(),
  };
}
