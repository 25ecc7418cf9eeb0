/**
 * Where a remote embedder is and whether the key may go there. Danger: the key. It is sent only to an endpoint the
 * user set, and nothing here puts it, or a part of it, into an error.
 */
import { isDefaultOllamaUrl, isHeaderKey } from '../config/remote-endpoint.ts';
import { BaseUrlError, parseBase, shownAddress, stripSlash, withPath } from '../remote/base-url.ts';
import type { CallOptions, CallTarget } from '../remote/json-call.ts';
import { EmbedderError } from './embedder.ts';
import type { EmbeddingSettings } from './settings.ts';

export interface Endpoint extends CallTarget {
  /** POST here to embed. */
  readonly embeddingsUrl: URL;
  /** Ollama's own API beside its `/v1`: what a model is; only used by the ollama provider. */
  readonly showUrl: URL;
  /** The key to send, or null when there is none or the endpoint is not one the user set. */
  readonly key: string | null;
}

const ADDRESS = 'OLLAMA_URL (embedding.ollama_url)';

/** A batch of 64 vectors of 4 096 numbers in decimal is about 6 MB; more than ten times that is no honest answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** What every call to an embedder has in common. */
export const EMBEDDER_CALL: Pick<CallOptions, 'maxBytes' | 'words'> = {
  maxBytes: MAX_ANSWER_BYTES,
  words: { who: 'embedder', setting: ADDRESS },
};

/** @throws EmbedderError `configuration` when `embedding.ollama_url` or the key cannot be used */
export function resolveEndpoint(settings: EmbeddingSettings): Endpoint {
  const base = baseOf(settings.ollama_url);
  const key = settings.api_key || null;
  // Refused here, so that a pasted newline is not echoed by the HTTP client's own error.
  if (key !== null && !isHeaderKey(key)) {
    throw new EmbedderError(
      'configuration',
      'EMBED_API_KEY holds a character no HTTP header can carry (a space or a line break?): set it again.',
    );
  }
  return {
    embeddingsUrl: withPath(base, `${stripSlash(base.pathname)}/embeddings`),
    showUrl: withPath(base, `${stripSlash(base.pathname).replace(/\/v1$/, '')}/api/show`),
    shown: shownAddress(base),
    key: isDefaultOllamaUrl(base) ? null : key,
  };
}

function baseOf(raw: string): URL {
  try {
    return parseBase(raw, { address: ADDRESS, key: 'EMBED_API_KEY' });
  } catch (error) {
    throw error instanceof BaseUrlError ? new EmbedderError('configuration', error.message) : error;
  }
}
