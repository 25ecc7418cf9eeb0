/**
 * Asks one OpenAI-compatible `/embeddings` endpoint for the vectors of one request's texts, with retries. Danger:
 * answers are matched to texts by the returned `index`; a wrong match would file every vector under another text.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import { CallFailure, type CallOptions, postJson } from '../remote/json-call.ts';
import type { EmbedOutcome } from './embedder.ts';
import { EMBEDDER_CALL, type Endpoint } from './endpoint.ts';
import type { EmbeddingSettings } from './settings.ts';
import { toUnitVector } from './unit-vector.ts';

export interface RemoteClient {
  /**
   * One outcome per text, in order. @param retry false = one try
   * @throws CallFailure `transient` only after the last try
   */
  embed(
    texts: readonly string[],
    options: { retry: boolean; signal?: AbortSignal | undefined; timeoutMs?: number },
  ): Promise<EmbedOutcome[]>;
}

export interface RemoteClientOptions {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly dims: number;
  readonly settings: EmbeddingSettings;
  readonly fetch: typeof fetch;
}

export function createRemoteClient(options: RemoteClientOptions): RemoteClient {
  const { endpoint, model, dims, settings } = options;
  return {
    async embed(texts, { retry, signal, timeoutMs = settings.timeout_seconds * 1000 }) {
      const call: CallOptions = { ...EMBEDDER_CALL, fetch: options.fetch, timeoutMs, signal };
      const attempt = async () => {
        const body = { model, input: texts, encoding_format: 'float' };
        return vectorsOf(await postJson(endpoint, endpoint.embeddingsUrl, body, call), texts.length, dims);
      };
      return retry ? withRetries(attempt, settings, signal) : attempt();
    },
  };
}

/** Tries again on transient failures only, doubling the pause, and never sooner than `Retry-After` asks. */
async function withRetries<T>(
  attempt: () => Promise<T>,
  settings: EmbeddingSettings,
  signal: AbortSignal | undefined,
): Promise<T> {
  const first = settings.backoff_seconds * 1000;
  const longest = Math.max(first, settings.backoff_max_seconds * 1000);
  const guarded = async () => {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof CallFailure && error.kind === 'transient' && (error.retryAfterMs ?? 0) <= longest)
        throw error;
      throw new AbortError(error as Error);
    }
  };
  try {
    return await pRetry(guarded, {
      retries: settings.max_attempts - 1,
      factor: 2,
      minTimeout: first,
      maxTimeout: longest,
      signal,
      async onFailedAttempt({ error, attemptNumber, retriesLeft }) {
        const asked = error instanceof CallFailure ? (error.retryAfterMs ?? 0) : 0;
        const pause = Math.min(longest, first * 2 ** (attemptNumber - 1));
        if (retriesLeft > 0 && asked > pause) await sleep(asked - pause, undefined, { signal });
      },
    });
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    if (signal?.aborted) throw new CallFailure('aborted', 'Embedding was cancelled.');
    throw error;
  }
}

/** @throws CallFailure `transient` for a malformed answer, `configuration` for a wrong count or wrong dims */
function vectorsOf(answer: unknown, count: number, dims: number): EmbedOutcome[] {
  const rows = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(rows)) throw new CallFailure('transient', 'The embedder answered JSON that holds no vectors.');
  if (rows.length !== count) {
    throw new CallFailure(
      'configuration',
      `The embedder answered ${rows.length} vectors for ${count} texts: check that OLLAMA_URL, EMBED_MODEL and EMBED_DIMS name an embedding model.`,
    );
  }
  const outcomes: (EmbedOutcome | undefined)[] = new Array(count).fill(undefined);
  for (const [position, row] of rows.entries()) {
    const { index = position, embedding } = (row ?? {}) as { index?: unknown; embedding?: unknown };
    if (!Array.isArray(embedding)) throw new CallFailure('transient', 'The embedder answered a row without a vector.');
    if (typeof index !== 'number' || !(index in outcomes) || outcomes[index] !== undefined) {
      throw new CallFailure('transient', 'The embedder answered rows whose index fits no text.');
    }
    if (embedding.length !== dims) {
      throw new CallFailure(
        'configuration',
        `The embedder answered vectors of ${embedding.length} dimensions where ${dims} are configured: set EMBED_DIMS (embedding.dims) to ${embedding.length}, or EMBED_MODEL to another model.`,
      );
    }
    outcomes[index] = toUnitVector(embedding);
  }
  return assertSane(outcomes as EmbedOutcome[]);
}

/** One unusable vector among good ones is its text's fault; nothing but unusable ones is the embedder's, for now. */
function assertSane(outcomes: EmbedOutcome[]): EmbedOutcome[] {
  if (outcomes.length > 1 && outcomes.every((outcome) => 'error' in outcome)) {
    throw new CallFailure('transient', 'The embedder answered no usable vector for a whole batch.');
  }
  return outcomes;
}
