/**
 * What is said between the built-in model's thread and those who use it, directly or over a port. Danger: nothing
 * here is stored or versioned, since both ends always come from one build.
 */

/** A query goes before every waiting document text. */
export type EmbedKind = 'query' | 'documents';

export type BuiltinRequest =
  | { readonly type: 'embed'; readonly id: number; readonly kind: EmbedKind; readonly texts: readonly string[] }
  | { readonly type: 'cancel'; readonly id: number };

/**
 * `vectors`: all rows one after the other; a row that is no unit vector marks a text that could not be embedded, and
 * `problem` says why the first of them could not.
 */
export type BuiltinReply =
  | {
      readonly type: 'vectors';
      readonly id: number;
      readonly vectors: Float32Array<ArrayBuffer>;
      readonly problem?: string;
    }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

/** One way to the thread: owning it, or over a port to the owner. */
export interface BuiltinLink {
  /**
   * @returns rows of all texts one after the other
   * @throws EmbedderError `unreachable` or `aborted`
   */
  submit(kind: EmbedKind, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array>;
  /** Public reason why it does not work at the moment. */
  problem(): string | undefined;
  close(): Promise<void>;
}
