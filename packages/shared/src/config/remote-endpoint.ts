/**
 * What the configuration and the embedders have to agree on about a remote endpoint: its default address, which keys
 * a header can carry, and what an OpenAI-compatible one must name. Pure. Danger: two answers to "did the user set this
 * address" would one day send a key to a machine nobody chose, so there is one.
 */
import { isLoopbackHost } from './loopback.ts';

/** The value of `embedding.ollama_url` that nobody had to set; a key is never sent there. */
export const DEFAULT_OLLAMA_URL = 'http://ollama:11434/v1';

/** Whether an HTTP header can carry this as a key: visible ASCII, no spaces, at least one character. */
export function isHeaderKey(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** Whether an address is the default one, however it is spelt; a query does not make it another machine's. */
export function isDefaultOllamaUrl(url: URL): boolean {
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '') === DEFAULT_OLLAMA_URL;
}

/** The part of the `embedding` section that the rules for `openai` are about. */
export interface OpenAiSettings {
  readonly ollama_url: string;
  readonly model?: string | null | undefined;
  readonly dims?: number | null | undefined;
  readonly api_key?: string | null | undefined;
}

/**
 * What is missing for `embedding.provider: openai`: its address and model are never guessed, and a key is needed
 * unless it runs on this machine.
 * @returns one line for each missing key, which says what to set; empty when nothing is missing
 */
export function missingForOpenAi({ ollama_url, model, dims, api_key }: OpenAiSettings): string[] {
  const missing: string[] = [];
  const need = (key: string, variable: string) =>
    missing.push(`${key} must be set when embedding.provider is openai; set ${variable}`);
  const url = URL.canParse(ollama_url) ? new URL(ollama_url) : null;
  const own = url !== null && !isDefaultOllamaUrl(url);
  if (!own) need('embedding.ollama_url', 'OLLAMA_URL to the endpoint, up to and with its /v1');
  if (!model) need('embedding.model', 'EMBED_MODEL');
  if (dims == null) need('embedding.dims', 'EMBED_DIMS to what the model card says');
  if (own && !api_key && !isLoopbackHost(url.hostname)) {
    missing.push('embedding.api_key must be set for an openai endpoint on another machine; set EMBED_API_KEY');
  }
  return missing;
}
