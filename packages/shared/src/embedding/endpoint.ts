/**
 * Where a remote embedder is and whether the key may go there. Danger: the key. It is sent only to an endpoint the
 * user set, and nothing here puts it, or a part of it, into an error.
 */
import { EmbedderError } from './embedder.ts';
import { DEFAULT_OLLAMA_URL, type EmbeddingSettings } from './settings.ts';

export interface Endpoint {
  /** POST here to embed. */
  readonly embeddingsUrl: URL;
  /** Ollama's own API beside its `/v1`: what a model is; only used by the ollama provider. */
  readonly showUrl: URL;
  /** Origin and path without query and user info: what messages may say. */
  readonly shown: string;
  readonly loopback: boolean;
  /** The key to send, or null when there is none or the endpoint is not one the user set. */
  readonly key: string | null;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** What an HTTP header can carry; also keeps a pasted newline from being echoed by the HTTP client's own error. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** @throws EmbedderError `configuration` when `embedding.ollama_url` or the key cannot be used */
export function resolveEndpoint(settings: EmbeddingSettings): Endpoint {
  const base = parseBase(settings.ollama_url);
  const userSet = stripSlash(settings.ollama_url.trim()) !== DEFAULT_OLLAMA_URL;
  const key = settings.api_key || null;
  if (key !== null && !SENDABLE_KEY.test(key)) {
    throw new EmbedderError(
      'configuration',
      'EMBED_API_KEY holds a character no HTTP header can carry (a space or a line break?): set it again.',
    );
  }
  return {
    embeddingsUrl: withPath(base, `${stripSlash(base.pathname)}/embeddings`),
    showUrl: withPath(base, `${stripSlash(base.pathname).replace(/\/v1$/, '')}/api/show`),
    shown: `${base.origin}${stripSlash(base.pathname)}`,
    loopback: LOOPBACK.test(base.hostname),
    key: userSet ? key : null,
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
