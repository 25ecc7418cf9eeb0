/**
 * Any OpenAI-compatible endpoint. Danger: it is often somebody else's machine; that its address is no default and that
 * it has a key was seen to when its space was resolved.
 */
import type { Embedder } from './embedder.ts';
import { resolveEndpoint } from './endpoint.ts';
import type { RemoteDeps } from './ollama.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';
import type { EmbeddingSettings } from './settings.ts';
import type { VectorSpace } from './space.ts';

/**
 * @param space what `resolveSpace` made of these settings
 * @throws EmbedderError `configuration` for an address or key that cannot be used
 */
export function createOpenAiEmbedder(settings: EmbeddingSettings, space: VectorSpace, deps: RemoteDeps): Embedder {
  const endpoint = resolveEndpoint(settings);
  return createRemoteEmbedder({
    provider: 'openai',
    endpoint,
    settings,
    space,
    fetch: deps.fetch ?? fetch,
    queryTimeoutSeconds: deps.queryTimeoutSeconds,
    context: { ask: async () => null, known: () => null },
    explain(failure) {
      if (failure.status === 401 || failure.status === 403) {
        return `${endpoint.shown} did not accept the key (${failure.status}): set EMBED_API_KEY to one that may use "${space.model}".`;
      }
      if (failure.status === 404) {
        return `${endpoint.shown} knows no /embeddings or no model "${space.model}" (404): set OLLAMA_URL (embedding.ollama_url) and EMBED_MODEL.`;
      }
      return failure.message;
    },
  });
}
