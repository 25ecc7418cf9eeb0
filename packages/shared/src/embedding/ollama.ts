/**
 * Ollama through its OpenAI-compatible API, plus `/api/show` for the model's context. Danger: Ollama answers 404 for
 * a model that was never pulled, which reads like a wrong address; the message has to tell the two apart.
 */
import { CallFailure, postJson } from '../remote/json-call.ts';
import type { Embedder } from './embedder.ts';
import { EMBEDDER_CALL, resolveEndpoint } from './endpoint.ts';
import { contextTokensOf } from './model-context.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';
import type { EmbeddingSettings } from './settings.ts';
import type { VectorSpace } from './space.ts';

/** `/api/show` only reads a file's header; a server that takes longer is busy, and the context is asked again later. */
const SHOW_TIMEOUT_MS = 5000;

export interface RemoteDeps {
  readonly fetch?: typeof fetch | undefined;
  readonly queryTimeoutSeconds?: number | undefined;
}

/** @throws EmbedderError `configuration` for an address or key that cannot be used */
export function createOllamaEmbedder(settings: EmbeddingSettings, space: VectorSpace, deps: RemoteDeps): Embedder {
  const endpoint = resolveEndpoint(settings);
  const call = deps.fetch ?? fetch;
  let context: number | null | undefined;

  async function show(signal: AbortSignal): Promise<void> {
    const options = { ...EMBEDDER_CALL, fetch: call, timeoutMs: SHOW_TIMEOUT_MS, signal };
    try {
      context = contextTokensOf(await postJson(endpoint, endpoint.showUrl, { model: space.model }, options));
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      // Something that answers but has no /api/show is not Ollama and will not have it later; a missing model may come.
      const missingModel = error.status === 404 && /model/i.test(error.said);
      if (error.kind === 'transient' || error.kind === 'aborted' || missingModel) throw error;
      context = null;
    }
  }

  async function ask(signal: AbortSignal): Promise<number | null> {
    if (context !== undefined) return context;
    try {
      await show(signal);
    } catch (error) {
      if (!(error instanceof CallFailure) || error.kind !== 'transient') throw error;
    }
    return context ?? null;
  }

  return createRemoteEmbedder({
    provider: 'ollama',
    endpoint,
    settings,
    space,
    fetch: call,
    queryTimeoutSeconds: deps.queryTimeoutSeconds,
    context: { ask, known: () => context ?? null },
    probe: show,
    explain(failure) {
      if (failure.status === 404) {
        return `Ollama at ${endpoint.shown} does not have the model "${space.model}": run \`ollama pull ${space.model}\` there, or set EMBED_MODEL or OLLAMA_URL.`;
      }
      if (failure.status === 401 || failure.status === 403) {
        const held = endpoint.key === null ? 'none was sent' : 'the one sent was not accepted';
        return `${endpoint.shown} asks for a key (${failure.status}) and ${held}: set EMBED_API_KEY together with OLLAMA_URL.`;
      }
      return failure.message;
    },
  });
}
