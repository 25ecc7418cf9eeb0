/**
 * Any OpenAI-compatible endpoint. Danger: it is often somebody else's machine, so the address is never a default and
 * a key is required unless it is on this one.
 */
import { type Embedder, EmbedderError } from './embedder.ts';
import { resolveEndpoint } from './endpoint.ts';
import type { RemoteDeps } from './ollama.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';
import { DEFAULT_OLLAMA_URL, type EmbeddingSettings } from './settings.ts';
import type { VectorSpace } from './space.ts';

/** @throws EmbedderError `configuration` for a default address, or a missing key away from loopback */
export function createOpenAiEmbedder(settings: EmbeddingSettings, space: VectorSpace, deps: RemoteDeps): Embedder {
  const endpoint = resolveEndpoint(settings);
  if (endpoint.shown === DEFAULT_OLLAMA_URL) {
    throw new EmbedderError(
      'configuration',
      'The openai embedder needs an address: set OLLAMA_URL (embedding.ollama_url) to the endpoint, up to and with its /v1.',
    );
  }
  if (endpoint.key === null && !endpoint.loopback) {
    throw new EmbedderError(
      'configuration',
      `The openai embedder needs a key for ${endpoint.shown}: set EMBED_API_KEY or EMBED_API_KEY_FILE.`,
    );
  }
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
