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
