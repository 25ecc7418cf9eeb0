/**
 * Sizes of chunks: what a caller decides, and what the configuration comes to. Pure. Danger: the index and whoever compares
 * a text with it must chunk alike, so both take their sizes here.
 */

/** nomic-embed-text ships with a context of 2048 tokens (FACTS, Ollama); what is embedded besides the text needs room. */
const MAX_CHUNK_TOKENS = 1500;

/** What a caller decides about chunk sizes; all in tokens as tokens.ts estimates them. */
export interface ChunkOptions {
  /** Size aimed at. */
  readonly targetTokens: number;
  /** Repeated from the end of the previous piece where a section had to be split. */
  readonly overlapTokens: number;
  /** Sections below it join their neighbour. */
  readonly minTokens: number;
  /** No chunk is longer: what the model takes, less title and breadcrumb. */
  readonly maxTokens: number;
}

/** @param chunking the configuration's section */
export function chunkOptions(chunking: {
  readonly target_tokens: number;
  readonly overlap_tokens: number;
  readonly min_tokens: number;
}): ChunkOptions {
  return {
    targetTokens: chunking.target_tokens,
    overlapTokens: chunking.overlap_tokens,
    minTokens: chunking.min_tokens,
    maxTokens: MAX_CHUNK_TOKENS,
  };
}
