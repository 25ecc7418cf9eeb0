/**
 * Where a remote embedder is and whether the key may go there. Danger: the key. It is sent only to an endpoint the
 * user set, and nothing here puts it, or a part of it, into an error.
 */
import { DEFAULT_OLLAMA_URL, isDefaultOllamaUrl, isHeaderKey } from '../config/remote-endpoint.ts';
import { EmbedderError } from './embedder.ts';
import type { EmbeddingSettings } from './settings.ts';

export interface Endpoint {
  /** POST here to embed. */
  readonly embeddingsUrl: URL;
  /** Ollama's own API beside its `/v1`: what a model is; only used by the ollama provider. */
  readonly showUrl: URL;
  /** Origin and path without query and user info: what messages may say. */
  readonly shown: string;
  /** The key to send, or null when there is none or the endpoint is not one the user set. */
  readonly key: string | null;
}

/** @throws EmbedderError `configuration` when `embedding.ollama_url` or the key cannot be used */
export function resolveEndpoint(settings: EmbeddingSettings): Endpoint {
  const base = parseBase(settings.ollama_url);
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
    shown: `${base.origin}${stripSlash(base.pathname)}`,
    key: isDefaultOllamaUrl(base) ? null : key,
  };
}

/**
 * Whether a text from outside holds the key or a piece of it (providers echo keys partly masked, so pieces count).
 * Such a text is not shown at all.
 */
export function mentionsKey(text: string, key: string | null): boolean {
  if (key === null) return false;
  const piece = Math.min(key.length, 4);
  for (let i = 0; i + piece <= key.length; i++) {
    if (text.includes(key.slice(i, i + piece))) return true;
  }
  return false;
}

function parseBase(raw: string): URL {
  const wrong = (why: string) =>
    new EmbedderError(
      'configuration',
      `OLLAMA_URL (embedding.ollama_url) ${why}: set it to an address such as ${DEFAULT_OLLAMA_URL}.`,
    );
  if (!URL.canParse(raw)) throw wrong('is not a URL');
  const url = new URL(raw);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw wrong('is neither http nor https');
  if (url.username !== '' || url.password !== '')
    throw wrong('holds a user name or password, which belong in EMBED_API_KEY');
  url.hash = '';
  return url;
}

function withPath(base: URL, pathname: string): URL {
  const url = new URL(base);
  url.pathname = pathname;
  return url;
}

function stripSlash(path: string): string {
  return path.endsWith('/') ? stripSlash(path.slice(0, -1)) : path;
}
