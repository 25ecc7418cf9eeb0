/**
 * The chunker's rules that can be told apart, and which of them are in force: all. Nobody configures them; they are a
 * parameter so that each can be left out and what it is worth be measured (bench/relevance/chunking.mjs). Danger: a vault
 * indexed by other rules than the write gate compares with is compared with chunks it does not have.
 */

export interface ChunkRules {
  /** Headings deeper than this do not start a section, 0 to 6; with 0 the note is one section. */
  readonly sectionDepth: number;
  /** A section below the minimum joins the one that follows. */
  readonly mergeForward: boolean;
  /** A last section or piece below the minimum joins the one before. */
  readonly mergeBack: boolean;
  /** What is too large is cut between blocks, items, rows, sentences, lines; else wherever the size is reached. */
  readonly splitAtBoundaries: boolean;
  /** Code and other verbatim blocks stay whole as long as the model takes them. */
  readonly fencesWhole: boolean;
  /** Pieces of a table after the first repeat its header. */
  readonly repeatTableHeader: boolean;
  /** A section that is one flat list chunks item by item (see flat-list.ts). */
  readonly listsByItem: boolean;
}

/** SPEC §10's. */
export const CHUNK_RULES: ChunkRules = {
  sectionDepth: 3,
  mergeForward: true,
  mergeBack: true,
  splitAtBoundaries: true,
  fencesWhole: true,
  repeatTableHeader: true,
  listsByItem: true,
};
