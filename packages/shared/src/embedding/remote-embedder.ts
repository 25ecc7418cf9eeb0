/**
 * The embedder behind `ollama` and `openai`: batches, refusals and health around one RemoteClient. Danger: notes
 * leave the process here, so nothing but the configured endpoint is ever called.
 */
import { CallFailure } from '../remote/json-call.ts';
import { batchPositions, truncateAtBoundary } from './batches.ts';
import { type Embedder, EmbedderError, type EmbedderHealth, type EmbedOutcome } from './embedder.ts';
import type { Endpoint } from './endpoint.ts';
import { blamesText, isolate } from './isolate.ts';
import { characterLimit } from './model-context.ts';
import { createRemoteClient } from './remote-client.ts';
import type { EmbeddingSettings } from './settings.ts';
import { spaceDigest, type VectorSpace } from './space.ts';

/** Keeps a request well below what servers take in one body, whatever `batch_size` says: about 64 chunks. */
const MAX_BATCH_CHARACTERS = 128 * 1024;
const DEFAULT_QUERY_TIMEOUT_SECONDS = 3;
/** A query gets one try and no bisection, so it is cut to what the smallest usual models take. */
const SMALLEST_CONTEXT_TOKENS = 512;

export interface RemoteEmbedderOptions {
  readonly provider: 'ollama' | 'openai';
  readonly endpoint: Endpoint;
  readonly settings: EmbeddingSettings;
  readonly space: VectorSpace;
  readonly fetch: typeof fetch;
  readonly queryTimeoutSeconds?: number | undefined;
  readonly context: ModelContext;
  /** A cheap call made once at start, only so that `health()` knows; its failure is kept there and nowhere else. */
  readonly probe?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Turns a 401, 403 or 404 into what to set. */
  readonly explain: (failure: CallFailure) => string;
}

export interface ModelContext {
  /** Tokens the model takes, null when not known; may ask the endpoint. Throws CallFailure only for a bad configuration. */
  ask(signal: AbortSignal): Promise<number | null>;
  /** What is known by now, without asking. */
  known(): number | null;
}

export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const { provider, settings, space, endpoint } = options;
  const client = createRemoteClient({ endpoint, model: space.model, dims: space.dims, settings, fetch: options.fetch });
  const closing = new AbortController();
  let problem: string | undefined;

  /** Runs one piece of work, keeps its result as health, and turns every failure into an EmbedderError. */
  async function guarded<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const either = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    try {
      if (either.aborted) throw new CallFailure('aborted', 'Embedding was cancelled.');
      const result = await work(either);
      problem = undefined;
      return result;
    } catch (thrown) {
      const error = toEmbedderError(thrown, options.explain);
      if (error.kind !== 'aborted') problem = error.message;
      throw error;
    }
  }

  async function embedBatch(texts: readonly string[], signal: AbortSignal): Promise<EmbedOutcome[]> {
    const embed = (some: readonly string[]) => client.embed(some, { retry: true, signal });
    try {
      return await embed(texts);
    } catch (failure) {
      if (!blamesText(failure)) throw failure;
      // A runner that dies of a text dies every time: from here on one try per call is enough for a 500.
      const again =
        failure.kind === 'refused' ? embed : (some: readonly string[]) => client.embed(some, { retry: false, signal });
      return isolate(texts, failure, again);
    }
  }

  if (options.probe) guarded(undefined, options.probe).catch(() => undefined);

  return {
    provider,
    model: space.model,
    dims: space.dims,
    space: spaceDigest(space),
    embedDocuments: (texts, signal) =>
      guarded(signal, async (either) => {
        const context = await options.context.ask(either);
        const prepared = texts.map((text) => fitted(space.documentPrefix + text, context));
        const outcomes: EmbedOutcome[] = [];
        for (const positions of batchPositions(prepared, settings.batch_size, MAX_BATCH_CHARACTERS)) {
          const batch = positions.map((position) => prepared[position] ?? '');
          outcomes.push(...(await embedBatch(batch, either)));
        }
        return outcomes;
      }),
    embedQuery: (text, signal) =>
      guarded(signal, async (either) => {
        const timeoutMs =
          Math.min(settings.timeout_seconds, options.queryTimeoutSeconds ?? DEFAULT_QUERY_TIMEOUT_SECONDS) * 1000;
        const query = fitted(space.queryPrefix + text, options.context.known() ?? SMALLEST_CONTEXT_TOKENS);
        const [outcome] = await client.embed([query], { retry: false, signal: either, timeoutMs });
        if (outcome === undefined || 'error' in outcome) {
          throw new CallFailure('transient', outcome?.error ?? 'The embedder answered no vector.');
        }
        return outcome.vector;
      }),
    health(): EmbedderHealth {
      const state = { provider, model: space.model };
      return problem === undefined ? { ok: true, ...state } : { ok: false, ...state, error: problem };
    },
    close: async () => closing.abort(),
  };
}

function fitted(text: string, contextTokens: number | null): string {
  return contextTokens === null ? text : truncateAtBoundary(text, characterLimit(text, contextTokens));
}

function toEmbedderError(thrown: unknown, explain: (failure: CallFailure) => string): EmbedderError {
  if (thrown instanceof EmbedderError) return thrown;
  if (!(thrown instanceof CallFailure)) {
    return new EmbedderError('unreachable', 'Embedding failed inside this program; the log has the details.', {
      cause: thrown,
    });
  }
  if (thrown.kind === 'aborted') return new EmbedderError('aborted', thrown.message);
  if (thrown.kind === 'configuration') return new EmbedderError('configuration', explain(thrown));
  const advice =
    thrown.kind === 'refused'
      ? 'it refuses this text'
      : 'check that it runs and that OLLAMA_URL (embedding.ollama_url) is right';
  return new EmbedderError('unreachable', `${thrown.message} (${advice})`);
}
