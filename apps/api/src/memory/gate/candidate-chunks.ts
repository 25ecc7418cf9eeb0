/**
 * A candidate cut into chunks as the note that it would be. Pure. Danger: what is compared with the index has to be cut and named
 * as the indexer cuts and names it, or the same text is no longer the same.
 */
import { chunkNote } from '@vault-mcp/shared/chunk/chunk';
import { namesOf } from '@vault-mcp/shared/chunk/indexed-text';
import type { ChunkOptions } from '@vault-mcp/shared/chunk/options';
import { propertyWords } from '@vault-mcp/shared/chunk/property-words';
import { parseNote } from '@vault-mcp/shared/vault/note/parse';
import type { Candidate } from '../types.ts';
import { composeNote } from './compose-note.ts';
import { slugOf } from './free-path.ts';

/** A candidate has at most 64 KiB, some 45 chunks; what it is about stands in the first of them. */
const MAX_CHUNKS = 32;
const NO_MARKS = { supersedes: [], provenance: [], stamp: null };

export interface CandidateChunks {
  readonly title: string;
  /** What it would be found by in each of its chunks: its title, and its file's name where that is another. */
  readonly names: string;
  /** What the first of them would also be found by. */
  readonly properties: string;
  readonly description: string;
  readonly chunks: readonly { readonly breadcrumb: string; readonly text: string }[];
}

export function candidateChunks(candidate: Candidate, chunking: ChunkOptions): CandidateChunks {
  const { title } = candidate;
  const parsed = parseNote(composeNote(candidate, NO_MARKS));
  const chunks = chunkNote(parsed, { title, titleChunk: true, ...chunking }).slice(0, MAX_CHUNKS);
  const names = namesOf(title, slugOf(title));
  const properties = propertyWords(parsed.frontmatter.data);
  return { title, names, properties, description: parsed.description ?? '', chunks };
}
