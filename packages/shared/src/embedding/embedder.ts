/**
 * The contract every embedder keeps: texts in, unit-length vectors out, in order, whatever fails said per text or
 * thrown as one EmbedderError. Danger: a vector from another space ranks nonsense without any error, so `space`
 * names model, dims and prefixes, and stored vectors are only ever compared inside one space.
 */

export type EmbedderProvider = 'ollama' | 'openai' | 'builtin' | 'lexical';

/** Per text: its unit-length vector of `dims` finite numbers, or why this one text cannot be embedded. */
export type EmbedOutcome = { readonly vector: Float32Array } | { readonly error: string };

export interface EmbedderHealth {
  readonly ok: boolean;
  readonly provider: EmbedderProvider;
  readonly model: string;
  /** Public reason when not ok: what failed and what to set; never a key. */
  readonly error?: string;
}

export interface Embedder {
  readonly provider: EmbedderProvider;
  readonly model: string;
  readonly dims: number;
  /** Identity of the vector space: hex digest over model, dims and both prefixes. */
  readonly space: string;
  /**
   * Embeds document texts (prefix added here). Same length and order as `texts`; texts may be empty of meaning but
   * not zero in number. Resolves even when single texts fail; throws EmbedderError when the embedder as a whole does.
   */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<EmbedOutcome[]>;
  /** Embeds one query (prefix added here), ahead of any waiting batch. One try: throws EmbedderError. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** State after the last call (or a probe at start); never throws, never blocks. */
  health(): EmbedderHealth;
  /** Frees threads and sockets. Idempotent. */
  close(): Promise<void>;
}

/**
 * `unreachable`: transport, timeouts, 408, 425, 429, ≥ 500, malformed answers: worth trying again later.
 * `configuration`: 401, 403, 404, wrong count or dims: trying again cannot help; the message says what to set.
 */
export type EmbedderErrorKind = 'unreachable' | 'configuration' | 'aborted';

export class EmbedderError extends Error {
  readonly kind: EmbedderErrorKind;
  constructor(kind: EmbedderErrorKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EmbedderError';
    this.kind = kind;
  }
}
